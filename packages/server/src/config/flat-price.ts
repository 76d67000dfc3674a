import type { ToolPrice } from '../domain/rates.ts';
import { parseDecimal } from '../lib/money.ts';
import { fieldsOf, report } from './field.ts';
import { type Reader, reader, valueSchema } from './reader.ts';
import { maxUses, parsed } from './scalars.ts';
import { key, openSection, required, sectionSchema } from './section.ts';

const usdMax = 1_000;

function bounded(places: number, maximum: number) {
  return valueSchema('number', String.raw`^\d{1,7}(\.\d{1,${places}})?$`, { minimum: 0, maximum });
}

/** Pico-USD per billed request. */
export const perRequestUsd: Reader<bigint> = parsed(
  bounded(12, usdMax),
  `an amount in USD with at most 12 decimals, such as "0.005", up to ${usdMax}`,
  (value) => {
    const picoUsd = parseDecimal(value, 12);
    return picoUsd !== undefined && picoUsd <= BigInt(usdMax) * 10n ** 12n ? picoUsd : undefined;
  },
);

const usdPerThousandMax = 100_000;

/** Pico-USD per use. */
const usdPerThousand: Reader<bigint> = parsed(
  bounded(6, usdPerThousandMax),
  `a price in USD per thousand uses, with at most six decimals, such as "10", up to ${usdPerThousandMax}`,
  (value) => {
    const millionths = parseDecimal(value, 6);
    if (millionths === undefined) return undefined;
    return millionths <= BigInt(usdPerThousandMax) * 1_000_000n ? millionths * 1_000n : undefined;
  },
);

const toolKeys = {
  usdPerThousand: required('USD for a thousand uses', usdPerThousand),
  maxUses: key(
    'Uses that a call reserves; default: 10, and 0 where the platform uses tools on request only',
    maxUses,
  ),
};

const word = /^[a-z][a-z0-9_-]{0,31}$/;
const wordsMax = 16;

export const toolUses: Reader<Readonly<Record<string, ToolPrice>>> = reader(
  {
    ...{ type: 'object', minProperties: 1, maxProperties: wordsMax },
    ...{ propertyNames: { pattern: word.source }, additionalProperties: sectionSchema(toolKeys) },
  },
  (field) => {
    const fields = fieldsOf(field);
    if (fields === undefined) return undefined;
    if (fields.size === 0 || fields.size > wordsMax)
      return report(field, `has ${fields.size} tools; write 1 to ${wordsMax}`);
    const read: Record<string, ToolPrice> = {};
    for (const [name, found] of fields) {
      if (!word.test(name)) report(found, 'must be a word of a-z, 0-9, "_" and "-"');
      const section = openSection(found, toolKeys);
      const [picoUsd, usesMax] = [section.read('usdPerThousand'), section.read('maxUses')];
      if (picoUsd !== undefined)
        read[name] = { picoUsd, ...(usesMax !== undefined && { usesMax }) };
    }
    return read;
  },
);
