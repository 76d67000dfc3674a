import { attackApps, attackModels, attackRates, labelOf } from '../arena/accounts.ts';
import { attackLimits } from '../arena/attack-yaml.ts';
import { atOnce } from '../arena/callers.ts';
import {
  createFullCostCall,
  type PlannedCall,
  type PlatformInstructions,
} from '../arena/planned-call.ts';
import { spendRest } from '../arena/spend-rest.ts';
import { countOf, type StageParts, type StageResult } from '../arena/stage.ts';

type Loss = 'none' | 'lost' | 'late' | 'left';

interface Case {
  readonly loss: Loss;
  readonly instructions: PlatformInstructions;
  readonly times: number;
}

const { modelCallMs } = attackLimits;
const leavesAfterMs = 200;

/** Enough successful responses that the gateway keeps calling the model. */
const cases: readonly Case[] = [
  { loss: 'none', instructions: {}, times: 30 },
  { loss: 'lost', instructions: { fault: 'reset' }, times: 5 },
  { loss: 'lost', instructions: { fault: 'reset-mid-body' }, times: 5 },
  { loss: 'lost', instructions: { fault: 'half' }, times: 5 },
  { loss: 'late', instructions: { handoverDelayMs: modelCallMs + 1_500 }, times: 4 },
  { loss: 'late', instructions: { delayMs: modelCallMs + 1_500 }, times: 4 },
  { loss: 'left', instructions: { delayMs: leavesAfterMs * 3 }, times: 8 },
];

/** All these calls were billed. The late responses are collected with their keys. */
export async function losses(parts: StageParts): Promise<StageResult> {
  const { callers, chance } = parts;
  const account = attackApps.losses.name;
  const deck = chance.shuffled(
    cases.flatMap((row) => Array.from({ length: row.times }, () => row)),
  );
  const results = await atOnce([...deck.entries()], 24, ([index, { loss, instructions }]) => {
    const planned = plannedCallOf(account, index, instructions);
    if (loss === 'lost') return callers.callInVain(account, planned);
    if (loss === 'left') return callers.callInVain(account, planned, leavesAfterMs);
    return callers.call(account, planned);
  });
  await spendRest(parts, account);
  const late = deck.filter(({ loss }) => loss === 'late').length;
  return {
    name: account,
    line: `${countOf(results, 'left')} answers lost or left behind after the bill, ${late} late ones collected`,
  };
}

function plannedCallOf(
  account: string,
  index: number,
  instructions: PlatformInstructions,
): PlannedCall {
  const label = labelOf(account, index);
  return createFullCostCall({ label, model: attackModels.lossy, rates: attackRates, instructions });
}
