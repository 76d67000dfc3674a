import { tooMany } from '../lib/sentences.ts';
import { type Field, fieldsOf, report } from './field.ts';
import { type Reader, reader } from './reader.ts';
import { textLike } from './scalars.ts';

/** Some platforms allow no more per project. */
const tagsMax = 40;
const namePattern = /^[A-Za-z0-9][\w.:/@+-]{0,63}$/;
const nameRule =
  'a name of letters, digits and _.:/@+-, a letter or a digit first, at most 64 characters';

// A comma stands between the tags of an app, where they are one text.
const tagValue = textLike(
  /^[^,\p{Cc}]{1,128}$/u,
  'a text of at most 128 characters without a comma',
);

export const tags: Reader<Readonly<Record<string, string>>> = reader(
  {
    type: 'object',
    maxProperties: tagsMax,
    propertyNames: { pattern: namePattern.source },
    additionalProperties: {
      type: ['string', 'number', 'boolean'],
      pattern: '^[^,]{1,128}$',
    },
  },
  readTags,
);

function readTags(field: Field) {
  const fields = fieldsOf(field);
  if (fields === undefined) return undefined;
  if (fields.size > tagsMax) return report(field, tooMany(tagsMax, 'tags', fields.size));
  const entries = [...fields].flatMap(([name, each]) => {
    if (!namePattern.test(name)) report(each, `must be ${nameRule}`);
    const value = tagValue(each);
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(entries);
}
