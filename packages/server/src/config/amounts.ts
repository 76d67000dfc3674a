import type { CreditsConfig } from '../domain/credits.ts';
import {
  formatUsd,
  parseDecimal,
  parseUsd,
  parseUsdPerMillion,
  picoUsdMax,
  rateMax,
  rateUsdMax,
  usdRule,
} from '../lib/money.ts';
import { mustBe } from '../lib/sentences.ts';
import { type Field, report } from './field.ts';
import { type Reader, reader, valueSchema } from './reader.ts';
import { parsed, shown, text } from './scalars.ts';
import { openSection, required, sectionSchema } from './section.ts';

function decimalSchema(bounds: Readonly<Record<string, number>>) {
  return valueSchema('number', String.raw`^\d{1,30}(\.\d{1,30})?$`, bounds);
}

/** Pico-USD, from the decimal as written, quoted or not. */
export const usd: Reader<bigint> = reader(
  decimalSchema({ minimum: 0, maximum: Number(formatUsd(picoUsdMax)) }),
  (field) => {
    const value = text(field);
    if (value === undefined) return undefined;
    const amount = parseUsd(value);
    if (amount !== undefined) return amount;
    if (parseDecimal(value, 12) !== undefined) return tooMuch(field);
    return report(field, mustBe(usdRule, shown(field)));
  },
);

/** USD per million tokens, as pico-USD per token. */
export const usdPerMillion: Reader<bigint> = parsed(
  decimalSchema({ minimum: 0, maximum: rateUsdMax }),
  `a price in USD per million tokens, with at most six decimals, such as "0.15", up to ${rateUsdMax}`,
  (value) => {
    const rate = parseUsdPerMillion(value);
    return rate !== undefined && rate <= rateMax ? rate : undefined;
  },
);

const usdPerCredit = reader({ ...usd.schema, exclusiveMinimum: 0 }, (field) => {
  const amount = usd(field);
  if (amount === undefined) return undefined;
  if (amount === 0n) return report(field, 'a credit must be worth more than 0');
  if (withoutFactor(withoutFactor(amount, 2n), 5n) === 1n) return amount;
  return report(
    field,
    `${shown(field)} does not divide into exact decimal credits; in units of 1e-12 USD its only prime factors must be 2 and 5, for example "0.01", "0.025" or "1"`,
  );
});

function withoutFactor(amount: bigint, factor: bigint): bigint {
  let rest = amount;
  while (rest % factor === 0n) rest /= factor;
  return rest;
}

const creditDigits = 12;

/** Units of 1e-12 credits, until the worth of a credit is known. */
const creditUnits: Reader<bigint> = parsed(
  decimalSchema({ minimum: 0 }),
  'a number of credits, such as "1000" or "0.5"',
  (value) => parseDecimal(value, creditDigits),
);

const creditsKeys = {
  monthlyGrant: required('Credits that each user gets at the start of a month', creditUnits),
  usdPerCredit: required('USD value of one credit, such as "0.01"', usdPerCredit),
};

/** Monthly, per user, in pico-USD. */
export const credits: Reader<CreditsConfig> = reader(sectionSchema(creditsKeys), (field) => {
  const section = openSection(field, creditsKeys);
  const picoUsdPerCredit = section.read('usdPerCredit');
  const monthlyGrantPicoUsd = section.readWith('monthlyGrant', (grant) =>
    grantPicoUsd(grant, picoUsdPerCredit),
  );
  if (picoUsdPerCredit === undefined || monthlyGrantPicoUsd === undefined) return undefined;
  return { monthlyGrantPicoUsd, picoUsdPerCredit };
});

function grantPicoUsd(field: Field, picoUsdPerCredit: bigint | undefined): bigint | undefined {
  const units = creditUnits(field);
  if (units === undefined || picoUsdPerCredit === undefined) return undefined;
  const scale = 10n ** BigInt(creditDigits);
  const product = units * picoUsdPerCredit;
  if (product % scale !== 0n) {
    return report(
      field,
      `${shown(field)} credits must equal a whole number of 1e-12 USD; use fewer decimals`,
    );
  }
  return product / scale <= picoUsdMax ? product / scale : tooMuch(field);
}

function tooMuch(field: Field): undefined {
  return report(field, mustBe(`at most ${formatUsd(picoUsdMax)} USD`, shown(field)));
}
