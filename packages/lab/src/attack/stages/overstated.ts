import { attackApps, attackModels, attackRates, labelOf } from '../arena/accounts.ts';
import {
  createFullCostCall,
  largestThatFits,
  ordinaryTokens,
  type PlannedCall,
  type PlatformInstructions,
} from '../arena/planned-call.ts';
import { spendRest } from '../arena/spend-rest.ts';
import type { StageParts, StageResult } from '../arena/stage.ts';

/** Billed and reported without a request for it, one case per call in turn. */
const cases: readonly PlatformInstructions[] = [
  // More than requested, like platforms with extra reasoning.
  { bills: { outputTokens: Math.ceil(ordinaryTokens * 1.5) } },
  { bills: { outputTokens: ordinaryTokens * 2 } },
  // Implausibly much, but billed.
  { bills: { outputTokens: ordinaryTokens * 3 } },
  { bills: { inputTokens: 20_000 } },
  // No counts, with a bill of everything requested.
  { states: 'absent' },
  { states: { inputTokens: 'many', outputTokens: 'more' } },
  { states: { inputTokens: -20, outputTokens: -4_000 } },
  { states: { inputTokens: 1.5, outputTokens: 0.5 } },
];

/** The last call fills the budget and bills twice that; then the smallest call must be rejected. */
export async function overstated(parts: StageParts): Promise<StageResult> {
  const { callers, chance } = parts;
  const account = attackApps.overstated.name;
  let index = 0;
  const plannedCallOf = (instructions: PlatformInstructions): PlannedCall =>
    createFullCostCall({ ...common(), maxTokens: ordinaryTokens, instructions });
  for (let deck = chance.shuffled(cases); ; ) {
    const instructions = deck.pop();
    if (instructions === undefined) {
      deck = chance.shuffled(cases);
      continue;
    }
    const call = await callers.call(account, plannedCallOf(instructions));
    index += 1;
    if (call.kind !== 'answered') break;
  }
  const { remainingPicoUsd } = await callers.budget(account);
  const plain = largestThatFits(common(), remainingPicoUsd);
  if (plain !== undefined) {
    const { maxTokens } = plain.request;
    const instructions = { bills: { outputTokens: maxTokens * 2 } };
    await callers.call(account, createFullCostCall({ ...common(), maxTokens, instructions }));
  }
  const last = await spendRest(parts, account);
  return {
    name: account,
    line: `${index} calls that bill up to 3 times the requested amount, or report no number`,
    ...(last.kind !== 'refused' && { broken: [`${account}: a call was admitted above the cap`] }),
  };

  function common() {
    const label = labelOf(account, index);
    return { label, model: attackModels.asked, rates: attackRates };
  }
}
