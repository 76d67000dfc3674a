import { mustBe } from '../lib/sentences.ts';
import { type Field, report } from './field.ts';
import { type Reader, reader, textSchema } from './reader.ts';
import { shown, text } from './scalars.ts';

const form = /^https?:\/\/[^/?#@]+$/;

export function origin(example: string): Reader<string> {
  return reader(textSchema(form.source.replaceAll(String.raw`\/`, '/')), (field: Field) => {
    const value = text(field);
    if (value === undefined) return undefined;
    if (form.test(value) && URL.canParse(value)) return new URL(value).origin;
    return report(field, mustBe(`an origin such as ${example}, without a path`, shown(field)));
  });
}
