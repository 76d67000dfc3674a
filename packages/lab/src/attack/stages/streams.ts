import { attackApps, attackModels, attackRates, labelOf } from '../arena/accounts.ts';
import { type Ask, askInFull, type Told } from '../arena/ask.ts';
import { atOnce } from '../arena/callers.ts';
import { spendRest } from '../arena/spend-rest.ts';
import { countOf, type StageParts, type StageResult } from '../arena/stage.ts';

interface Case {
  readonly end: 'whole' | 'left' | 'broken';
  readonly leavesAfterEvents?: number;
  readonly stop?: NonNullable<Told['stream']>['stop'];
  readonly times: number;
}

/** Enough sound streams that the gateway keeps calling the model. */
const cases: readonly Case[] = [
  { end: 'whole', times: 30 },
  // The first event says that there is an answer, the second is the first of its text.
  ...[1, 2, 3, 6, 10].map((leavesAfterEvents) => {
    return { end: 'left', leavesAfterEvents, times: 6 } as const;
  }),
  ...(['break', 'error', 'end'] as const).map((how) => {
    return { end: 'broken', stop: { how, after: 4 }, times: 2 } as const;
  }),
];

/** All are billed in full. Half of those left are collected with their keys. */
export async function streams(parts: StageParts): Promise<StageResult> {
  const { callers, chance } = parts;
  const account = attackApps.streams.name;
  const deck = chance.shuffled(
    cases.flatMap((row) => Array.from({ length: row.times }, () => row)),
  );
  const told = await atOnce([...deck.entries()], 24, async ([index, row]) => {
    const ask = askOf(account, index, row);
    if (row.end === 'whole') return callers.call(account, ask, 'stream');
    const left = await callers.streamInVain(account, ask, row.leavesAfterEvents);
    const isCollected = row.end === 'left' && index % 2 === 0;
    return isCollected ? callers.call(account, ask, 'stream') : left;
  });
  await spendRest(parts, account);
  return {
    name: account,
    line: `${deck.length} streams, ${countOf(told, 'left')} left or cut off before their end`,
  };
}

function askOf(account: string, index: number, { stop }: Case): Ask {
  const { text, stream } = attackApps.streams.told;
  const told: Told = { text, stream: { ...stream, ...(stop && { stop }) } };
  const label = labelOf(account, index);
  return askInFull({ label, model: attackModels.streamed, rates: attackRates, told });
}
