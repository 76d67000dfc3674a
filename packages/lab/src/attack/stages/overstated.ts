import { attackApps, attackModels, attackRates, labelOf } from '../arena/accounts.ts';
import { type Ask, askInFull, largestThatFits, ordinaryTokens, type Told } from '../arena/ask.ts';
import { spendRest } from '../arena/spend-rest.ts';
import type { StageParts, StageResult } from '../arena/stage.ts';

/** Billed and stated without a request for it, one call for each in turn. */
const cases: readonly Told[] = [
  // More than was asked for, as platforms do that think beside the answer.
  { bills: { outputTokens: Math.ceil(ordinaryTokens * 1.5) } },
  { bills: { outputTokens: ordinaryTokens * 2 } },
  // So much that it is not to be believed, and billed all the same.
  { bills: { outputTokens: ordinaryTokens * 3 } },
  { bills: { inputTokens: 20_000 } },
  // Counts that are none, beside a bill of all that was asked for.
  { states: 'absent' },
  { states: { inputTokens: 'many', outputTokens: 'more' } },
  { states: { inputTokens: -20, outputTokens: -4_000 } },
  { states: { inputTokens: 1.5, outputTokens: 0.5 } },
];

/** The last call fills the cap and bills twice that; then the smallest call must be refused. */
export async function overstated(parts: StageParts): Promise<StageResult> {
  const { callers, chance } = parts;
  const account = attackApps.overstated.name;
  let index = 0;
  const ask = (told: Told): Ask => askInFull({ ...common(), maxTokens: ordinaryTokens, told });
  for (let deck = chance.shuffled(cases); ; ) {
    const told = deck.pop();
    if (told === undefined) {
      deck = chance.shuffled(cases);
      continue;
    }
    const call = await callers.call(account, ask(told));
    index += 1;
    if (call.kind !== 'answered') break;
  }
  const { leftPicoUsd } = await callers.budget(account);
  const plain = largestThatFits(common(), leftPicoUsd);
  if (plain !== undefined) {
    const { maxTokens } = plain.request;
    const told = { bills: { outputTokens: maxTokens * 2 } };
    await callers.call(account, askInFull({ ...common(), maxTokens, told }));
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
