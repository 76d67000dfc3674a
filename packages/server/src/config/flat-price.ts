import type { ToolPrice } from '../domain/rates.ts';
import { parseDecimal } from '../lib/money.ts';
import { byWord } from './factor.ts';
import { omitUndefined } from './omit-undefined.ts';
import { type Reader, reader, valueSchema } from './reader.ts';
import { maxUses, parsed } from './scalars.ts';
import { key, readKeys, required, sectionSchema } from './section.ts';

const usdMax = 1_000;

function bounded(decimals: number, maximum: number) {
  return valueSchema('number', String.raw`^\d{1,7}(\.\d{1,${decimals}})?$`, {
    minimum: 0,
    maximum,
  });
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
  usdPerThousand: required('USD per thousand uses', usdPerThousand),
  maxUses: key(
    'Uses that a call reserves; default: 10, or 0 if the platform uses tools only on request',
    maxUses,
  ),
};

const toolPrice = reader(sectionSchema(toolKeys), (field): ToolPrice | undefined => {
  const { usdPerThousand: picoUsd, maxUses: usesMax } = readKeys(field, toolKeys);
  return picoUsd === undefined ? undefined : omitUndefined({ picoUsd, usesMax });
});

export const toolUses = byWord(toolPrice, 'tools');
