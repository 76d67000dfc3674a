import type { PlatformConfig } from '../domain/platform.ts';
import { factsOf } from '../domain/platform-kinds/platform-kinds.ts';
import { isNeverPassed, isReservedField, type SendFields } from '../domain/row-fields.ts';
import { type Field, fieldsOf, report } from './field.ts';
import { plainValue } from './plain-value.ts';
import { reader } from './reader.ts';
import { shown, textLike } from './scalars.ts';
import { key, type Section, uniqueList, type ValuesOf } from './section.ts';

const bytesMax = 4_096;
const namesMax = 64;
const namePattern = /^[A-Za-z][\w.-]{0,63}$/;
const nameRule = 'a name of letters, digits and _.-, at most 64 characters';

const send = reader(
  { type: 'object', maxProperties: namesMax, propertyNames: { pattern: namePattern.source } },
  readSend,
);

const name = textLike(namePattern, nameRule);

const passedName = reader({ type: 'string', pattern: namePattern.source }, (field) => {
  const fieldName = name(field);
  if (fieldName === undefined || !isNeverPassed(fieldName)) return fieldName;
  const rule = 'a field that the gateway writes, or that can change the output or its cost';
  return report(field, `${shown(field)} is ${rule}; remove it`);
});
const passed = uniqueList(passedName, { max: namesMax, noun: 'names' });

export const rowFieldKeys = {
  send: key('Constants added to the body of every request to its platform', send),
  passFields: key(
    'Fields that callers of /openai and /anthropic may send; they are forwarded unchanged',
    passed,
  ),
};

/** A package of the AI SDK writes its own requests, so its rows have neither field. */
export function readRowFields(
  section: Section<ValuesOf<typeof rowFieldKeys>>,
  platform: PlatformConfig | undefined,
): { readonly send: SendFields | undefined; readonly passFields: ReadonlySet<string> | undefined } {
  const names = ['send', 'passFields'] as const;
  if (platform !== undefined && factsOf(platform.kind).isPackage) {
    for (const name of names) {
      const field = section.field(name);
      const cure = 'its package writes the requests; use a platform of the kind openai-compatible';
      if (field !== undefined)
        report(
          field,
          `the kind ${platform.kind} of ${platform.name} does not support this key: ${cure}`,
        );
    }
    return { send: undefined, passFields: undefined };
  }
  const list = section.read('passFields');
  return { send: section.read('send'), passFields: list && new Set(list) };
}

function readSend(field: Field): SendFields | undefined {
  const sendEntries = fieldsOf(field, { max: namesMax, noun: 'fields' });
  if (sendEntries === undefined) return undefined;
  for (const [name, each] of sendEntries) {
    if (!namePattern.test(name)) return report(each, `must be ${nameRule}`);
    if (isReservedField(name)) {
      const rule = 'is written or priced by the gateway, or changes the output; remove it';
      return report(each, rule);
    }
  }
  const entries = [...sendEntries].map(([name, each]) => [name, plainValue(each.tree)] as const);
  const fields = Object.fromEntries(entries);
  const json = JSON.stringify(fields);
  const bytes = Buffer.byteLength(json);
  if (bytes <= bytesMax) return { fields, tokensMax: tokensMaxOf(json) };
  return report(field, `has ${bytes} bytes as JSON; the maximum is ${bytesMax}`);
}

/**
 * A token covers at least one byte of normalized text, and no character becomes more than 33 bytes.
 * Chat templates may write a value twice.
 */
function tokensMaxOf(json: string): number {
  let bytes = 0;
  for (const character of json) bytes += character < '\u0080' ? 1 : 36;
  return 2 * bytes;
}
