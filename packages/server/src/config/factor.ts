import { type Factors, factorUnit } from '../domain/price-terms.ts';
import { formatDecimal, parseDecimal } from '../lib/money.ts';
import { fieldsOf, report } from './field.ts';
import { type Reader, reader, valueSchema } from './reader.ts';
import { parsed } from './scalars.ts';

const digits = 6;
const factorMax = 1_000;

/** In millionths. */
export const factor: Reader<bigint> = parsed(
  valueSchema('number', String.raw`^\d{1,4}(\.\d{1,6})?$`, {
    exclusiveMinimum: 0,
    maximum: factorMax,
  }),
  `a factor above 0 with at most ${digits} decimals, such as "1.5", up to ${factorMax}`,
  (value) => {
    const millionths = parseDecimal(value, digits) ?? 0n;
    return millionths > 0n && millionths <= BigInt(factorMax) * factorUnit ? millionths : undefined;
  },
);

export function formatFactor(millionths: bigint): string {
  return formatDecimal(millionths, digits);
}

const word = /^[a-z][a-z0-9_-]{0,31}$/;
const wordsMax = 16;

export const factors: Reader<Factors> = reader(
  {
    ...{ type: 'object', minProperties: 1, maxProperties: wordsMax },
    ...{ propertyNames: { pattern: word.source }, additionalProperties: factor.schema },
  },
  (field) => {
    const fields = fieldsOf(field);
    if (fields === undefined) return undefined;
    if (fields.size === 0 || fields.size > wordsMax)
      return report(field, `has ${fields.size} words; write 1 to ${wordsMax}`);
    const read: Record<string, bigint> = {};
    for (const [name, found] of fields) {
      if (!word.test(name)) report(found, 'must be a word of a-z, 0-9, "_" and "-"');
      const value = factor(found);
      if (value !== undefined) read[name] = value;
    }
    return read;
  },
);
