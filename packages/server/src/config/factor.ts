import { type Factors, factorUnit } from '../domain/price-terms.ts';
import { formatDecimal, parseDecimal } from '../lib/money.ts';
import { type Reader, valueSchema } from './reader.ts';
import { parsed } from './scalars.ts';
import { recordOf } from './section.ts';

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

/** The keys are words of responses. */
export function byWord<T>(value: Reader<T>, noun: string): Reader<Readonly<Record<string, T>>> {
  const max = 16;
  return recordOf(value, {
    ...{ names: /^[a-z][a-z0-9_-]{0,31}$/, rule: 'a word of a-z, 0-9, "_" and "-"' },
    ...{ max, noun, empty: `has 0 ${noun}; list 1 to ${max}` },
  });
}

export const factors: Reader<Factors> = byWord(factor, 'words');
