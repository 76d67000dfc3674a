import type { CreditsConfig } from '../domain/credits.ts';
import { formatUsd, parseDecimal, parseUsd, parseUsdPerMillion, picoUsdMax } from '../lib/money.ts';
import { type Field, openTable, report } from './field.ts';
import { shown, text } from './scalars.ts';

/** An amount in USD as pico-USD. Quoted or not, it is read as the decimal that is written. */
export function usd(field: Field): bigint | undefined {
  const value = text(field);
  if (value === undefined) return undefined;
  const amount = parseUsd(value);
  if (amount !== undefined) return amount;
  if (parseDecimal(value, 12) !== undefined) return tooMuch(field);
  return report(
    field,
    `${shown(field)} is no amount in USD; write a decimal such as "20" or "0.50"`,
  );
}

/** Above it, the cost of one large call would not fit a 64-bit integer of pico-USD. */
const ratePicoUsdMax = 100_000n * 1_000_000n;

/** A price in USD per million tokens as pico-USD per token. */
export function usdPerMillion(field: Field): bigint | undefined {
  const value = text(field);
  if (value === undefined) return undefined;
  const rate = parseUsdPerMillion(value);
  if (rate !== undefined && rate <= ratePicoUsdMax) return rate;
  const rule = 'a decimal of at most six places, such as "0.15", up to 100000';
  return report(field, `${shown(field)} is no price in USD per million tokens; write ${rule}`);
}

/** What an app's users get each month, in pico-USD. */
export function credits(field: Field): CreditsConfig | undefined {
  const table = openTable(field, ['monthlyGrant', 'usdPerCredit']);
  const picoUsdPerCredit = table.require('usdPerCredit', usdPerCredit);
  const monthlyGrantPicoUsd = table.require('monthlyGrant', (grant) =>
    grantPicoUsd(grant, picoUsdPerCredit),
  );
  if (picoUsdPerCredit === undefined || monthlyGrantPicoUsd === undefined) return undefined;
  return { monthlyGrantPicoUsd, picoUsdPerCredit };
}

function usdPerCredit(field: Field): bigint | undefined {
  const amount = usd(field);
  if (amount === undefined) return undefined;
  if (amount === 0n) return report(field, 'a credit must be worth more than 0');
  if (withoutFactor(withoutFactor(amount, 2n), 5n) === 1n) return amount;
  return report(
    field,
    `${shown(field)} would give credits without an exact decimal; in units of 1e-12 USD it may have no prime factor but 2 and 5, as "0.01", "0.025" and "1" have`,
  );
}

function withoutFactor(amount: bigint, factor: bigint): bigint {
  let rest = amount;
  while (rest % factor === 0n) rest /= factor;
  return rest;
}

/** Decimals of credits that are read; whether they convert exactly is looked at after that. */
const creditDigits = 12;

function grantPicoUsd(field: Field, picoUsdPerCredit: bigint | undefined): bigint | undefined {
  const value = text(field);
  if (value === undefined) return undefined;
  const scaled = parseDecimal(value, creditDigits);
  if (scaled === undefined) {
    return report(
      field,
      `${shown(field)} is no number of credits; write a decimal such as "1000" or "0.5"`,
    );
  }
  if (picoUsdPerCredit === undefined) return undefined;
  const scale = 10n ** BigInt(creditDigits);
  const product = scaled * picoUsdPerCredit;
  if (product % scale !== 0n) {
    return report(
      field,
      `${shown(field)} credits are no whole number of 1e-12 USD; use fewer decimals`,
    );
  }
  return product / scale <= picoUsdMax ? product / scale : tooMuch(field);
}

function tooMuch(field: Field): undefined {
  return report(field, `${shown(field)} is too much; the most is ${formatUsd(picoUsdMax)} USD`);
}
