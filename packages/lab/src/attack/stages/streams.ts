import { attackApps, attackModels, attackRates, labelOf } from '../arena/accounts.ts';
import { atOnce } from '../arena/callers.ts';
import {
  createFullCostCall,
  type PlannedCall,
  type PlatformInstructions,
} from '../arena/planned-call.ts';
import { spendRest } from '../arena/spend-rest.ts';
import { countOf, type StageParts, type StageResult } from '../arena/stage.ts';

interface Case {
  readonly end: 'whole' | 'left' | 'broken';
  readonly leavesAfterEvents?: number;
  readonly stop?: NonNullable<PlatformInstructions['stream']>['stop'];
  readonly times: number;
}

/** Enough successful streams that the gateway keeps calling the model. */
const cases: readonly Case[] = [
  { end: 'whole', times: 30 },
  // The first event begins the response, the second is the first of its text.
  ...[1, 2, 3, 6, 10].map((leavesAfterEvents) => {
    return { end: 'left', leavesAfterEvents, times: 6 } as const;
  }),
  ...(['break', 'error', 'end'] as const).map((how) => {
    return { end: 'broken', stop: { how, after: 4 }, times: 2 } as const;
  }),
];

/** All are billed in full. Half of the disconnected ones are collected with their keys. */
export async function streams(parts: StageParts): Promise<StageResult> {
  const { callers, chance } = parts;
  const account = attackApps.streams.name;
  const deck = chance.shuffled(
    cases.flatMap((row) => Array.from({ length: row.times }, () => row)),
  );
  const results = await atOnce([...deck.entries()], 24, async ([index, row]) => {
    const planned = plannedCallOf(account, index, row);
    if (row.end === 'whole') return callers.call(account, planned, 'stream');
    const result = await callers.streamInVain(account, planned, row.leavesAfterEvents);
    const isCollected = row.end === 'left' && index % 2 === 0;
    return isCollected ? callers.call(account, planned, 'stream') : result;
  });
  await spendRest(parts, account);
  return {
    name: account,
    line: `${deck.length} streams, ${countOf(results, 'left')} left or cut off before their end`,
  };
}

function plannedCallOf(account: string, index: number, { stop }: Case): PlannedCall {
  const { text, stream } = attackApps.streams.instructions;
  const instructions: PlatformInstructions = { text, stream: { ...stream, ...(stop && { stop }) } };
  const label = labelOf(account, index);
  return createFullCostCall({
    label,
    model: attackModels.streamed,
    rates: attackRates,
    instructions,
  });
}
