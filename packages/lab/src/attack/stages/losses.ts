import { attackApps, attackModels, attackRates, labelOf } from '../arena/accounts.ts';
import { type Ask, askInFull, type Told } from '../arena/ask.ts';
import { attackLimits } from '../arena/attack-yaml.ts';
import { atOnce } from '../arena/callers.ts';
import { spendRest } from '../arena/spend-rest.ts';
import { countOf, type StageParts, type StageResult } from '../arena/stage.ts';

type Loss = 'none' | 'lost' | 'late' | 'left';

interface Case {
  readonly loss: Loss;
  readonly told: Told;
  readonly times: number;
}

const { modelCallMs } = attackLimits;
const leavesAfterMs = 200;

/** Enough sound answers that the gateway keeps calling the model. */
const cases: readonly Case[] = [
  { loss: 'none', told: {}, times: 30 },
  { loss: 'lost', told: { fault: 'reset' }, times: 5 },
  { loss: 'lost', told: { fault: 'reset-mid-body' }, times: 5 },
  { loss: 'lost', told: { fault: 'half' }, times: 5 },
  { loss: 'late', told: { handoverDelayMs: modelCallMs + 1_500 }, times: 4 },
  { loss: 'late', told: { delayMs: modelCallMs + 1_500 }, times: 4 },
  { loss: 'left', told: { delayMs: leavesAfterMs * 3 }, times: 8 },
];

/** All these calls were billed. The late answers are collected with their keys. */
export async function losses(parts: StageParts): Promise<StageResult> {
  const { callers, chance } = parts;
  const account = attackApps.losses.name;
  const deck = chance.shuffled(
    cases.flatMap((row) => Array.from({ length: row.times }, () => row)),
  );
  const told = await atOnce([...deck.entries()], 24, ([index, { loss, told }]) => {
    const ask = askOf(account, index, told);
    if (loss === 'lost') return callers.callInVain(account, ask);
    if (loss === 'left') return callers.callInVain(account, ask, leavesAfterMs);
    return callers.call(account, ask);
  });
  await spendRest(parts, account);
  const late = deck.filter(({ loss }) => loss === 'late').length;
  return {
    name: account,
    line: `${countOf(told, 'left')} answers lost or left behind after the bill, ${late} late ones collected`,
  };
}

function askOf(account: string, index: number, told: Told): Ask {
  const label = labelOf(account, index);
  return askInFull({ label, model: attackModels.lossy, rates: attackRates, told });
}
