import { formatUsdPerMillion } from '@model-gateway/server/lib/money';
import type { OtherWords } from '@model-gateway/simulator';
import { attackRates, nameOfPrice } from './accounts.ts';
import type { Rates } from './planned-call.ts';

/** The platform chooses tier and region; the request leaves both open. */
export interface ServedModel {
  readonly id: string;
  readonly wire: 'chat' | 'responses' | 'messages';
  /** Undefined for the standard tier, which the platform does not report. */
  readonly states: OtherWords | undefined;
  readonly factors: 'tiers: { priority: "2", flex: "0.5" }' | 'regions: { us: "2", eu: "1.1" }';
}

const tiers = 'tiers: { priority: "2", flex: "0.5" }';
const regions = 'regions: { us: "2", eu: "1.1" }';

export const servedModels: readonly ServedModel[] = [
  { id: 'priority-chat', wire: 'chat', states: 'priority', factors: tiers },
  { id: 'priority-responses', wire: 'responses', states: 'priority', factors: tiers },
  { id: 'priority-messages', wire: 'messages', states: 'usage-priority', factors: tiers },
  { id: 'regional-messages', wire: 'messages', states: 'us-region', factors: regions },
  { id: 'standard-chat', wire: 'chat', states: undefined, factors: tiers },
  { id: 'standard-responses', wire: 'responses', states: undefined, factors: tiers },
  { id: 'standard-messages', wire: 'messages', states: undefined, factors: regions },
];

/** Half of the usual rates, which include the highest factor. */
const standardRates: Rates = {
  inputPicoUsd: attackRates.inputPicoUsd / 2n,
  heldInputPicoUsd: attackRates.heldInputPicoUsd / 2n,
  outputPicoUsd: attackRates.outputPicoUsd / 2n,
};

/**
 * The model's prices, without its platform; the platform's model name contains the served price.
 */
export function servedPrice({ states, factors }: ServedModel): string {
  const { inputPicoUsd, outputPicoUsd } = standardRates;
  return [
    `upstreamModel: ${nameOfPrice(states === undefined ? standardRates : attackRates)}`,
    `inputUsdPerMillion: "${formatUsdPerMillion(inputPicoUsd)}"`,
    `outputUsdPerMillion: "${formatUsdPerMillion(outputPicoUsd)}"`,
    factors,
  ].join(', ');
}
