import { type Factors, factorUnit } from '../domain/price-terms.ts';
import type { FlatPrice, Rates, TokenPart } from '../domain/rates.ts';
import { formatDecimal, formatUsd, formatUsdPerMillion } from '../lib/money.ts';
import type { DatedPrice, ModelPrices, Price } from './catalog.ts';

/** USD per million tokens, with the version in call records. */
export function pricesText({ prices }: Pick<ModelPrices, 'prices'>): string {
  return prices.map(datedText).join(' | ');
}

function datedText({ fromDay, price }: DatedPrice): string {
  return fromDay === undefined ? priceText(price) : `from ${fromDay}: ${priceText(price)}`;
}

function priceText({ steps = [], flat, terms, version, ...rates }: Price): string {
  const parts = [ratesText(rates), ...flatTexts(flat)];
  for (const { aboveInputTokens, ...own } of steps)
    parts.push(`above ${aboveInputTokens} tokens of input: ${ratesText(own)}`);
  if (terms !== undefined) {
    if (terms.tier !== undefined) parts.push(`in the tier ${terms.tier}`);
    parts.push(...factorsText('tiers', terms.tiers), ...factorsText('regions', terms.regions));
  }
  return `${parts.join('; ')} (${version})`;
}

function ratesText(rates: Rates): string {
  const { cacheWrite1hInputPicoUsd: forLong } = rates;
  return [
    `input ${formatUsdPerMillion(rates.inputPicoUsd)}`,
    `cached input ${formatUsdPerMillion(rates.cachedInputPicoUsd)}`,
    `cache write ${formatUsdPerMillion(rates.cacheWriteInputPicoUsd)}`,
    ...(forLong === undefined ? [] : [`cache write 1h ${formatUsdPerMillion(forLong)}`]),
    `output ${formatUsdPerMillion(rates.outputPicoUsd)}`,
    ...Object.entries(rates.parts ?? {}).map(([part, rate]) => {
      return `${partWords[part]} ${formatUsdPerMillion(rate)}`;
    }),
  ].join(', ');
}

const partWords: Readonly<Record<string, string>> = {
  imageInput: 'image input',
  audioInput: 'audio input',
  reasoning: 'reasoning',
  imageOutput: 'image output',
  audioOutput: 'audio output',
} satisfies Record<TokenPart, string>;

function flatTexts({ perRequestPicoUsd, toolUses = {} }: FlatPrice = {}): readonly string[] {
  const ofRequest =
    perRequestPicoUsd === undefined ? [] : [`request ${formatUsd(perRequestPicoUsd)}`];
  const ofTools = Object.entries(toolUses).map(([tool, { picoUsd }]) => {
    return `${tool} ${formatUsd(picoUsd * 1_000n)} per thousand`;
  });
  return [...ofRequest, ...ofTools];
}

function factorsText(name: string, factors: Factors): readonly string[] {
  const words = Object.entries(factors).map(([word, factor]) => {
    return `${word} × ${formatDecimal(factor, factorDigits)}`;
  });
  return words.length === 0 ? [] : [`${name}: ${words.join(', ')}`];
}

const factorDigits = String(factorUnit).length - 1;
