import { sleep } from '@model-gateway/server/lib/clock';
import { formatUsd } from '@model-gateway/server/lib/money';
import { correctCall } from '@model-gateway/server/operations/calls/corrections';
import {
  attackApps,
  attackRates,
  labelOf,
  surfacePicoUsd,
  surfaceTokens,
} from '../arena/accounts.ts';
import { mostOf } from '../arena/planned-call.ts';
import { indexes, type StageParts, type StageResult } from '../arena/stage.ts';
import { sendOn, surfaceCall, surfaceRoutes } from '../arena/surfaces.ts';
import { type BudgetCall, readBudgetRows } from '../books/budget-rows.ts';
import { receivedText } from '../receipts/receive.ts';
import { emptyWallet, readWallets, watchEnds, watchRunning } from '../receipts/wallets.ts';
import { stayClearOfMidnight } from './kills.ts';

const account = attackApps.overdue.name;
const stageMsMax = 90_000;
const lostMsMax = 40_000;
const times = 2;
/** Set after the call was lost, and before its late settlement. */
const correctedPicoUsd = 1_000_000n;
const lateTokens = surfaceTokens.output * 2;
const latePicoUsd = mostOf(surfaceTokens.input, lateTokens, attackRates);
/** It bills twice the requested output. */
const instructions = {
  ...{ delayMs: 5_000, text: receivedText },
  bills: { outputTokens: lateTokens },
};

/**
 * A service is stopped until its calls count as lost, then settles them, above their reservations.
 * A wallet pays at most the reservation and the corrected cost.
 */
export async function overdue({ arena, callers }: StageParts): Promise<StageResult> {
  const [surface] = surfaceRoutes;
  if (arena.store.kind !== 'postgres' || surface === undefined) {
    const line = 'not shown: calls that settle after they were lost take two services';
    return { name: account, line, caps: new Map([[account, 0n]]) };
  }
  await stayClearOfMidnight(arena, stageMsMax);
  const victim = await arena.start(arena.config.file);
  const target = { url: victim.url, apiKey: arena.key(account) };
  const users = indexes(times).map((index) => `${account}-${index}`);
  const running = users.map(async (userId, index) => {
    const call = surfaceCall(surface, labelOf(account, index), { instructions, userId });
    return { ...call, end: await sendOn(target, call, { tries: 0 }) };
  });
  const ends = watchEnds(running);
  await watchRunning(arena, [account]).until((calls) => calls === times || ends.hasOne());
  victim.pause();
  const lost = await untilLost();
  const corrected = lost.find(({ userId }) => userId === users[0])?.callId ?? '';
  await correctCall(arena.admin, { callId: corrected, usd: formatUsd(correctedPicoUsd) });
  victim.resume();
  for (const { label, maximumCostPicoUsd, end } of await Promise.all(running)) {
    const came = end.kind === 'failed' ? ({ kind: 'left' } as const) : end;
    callers.note([{ account, label, maximumCostPicoUsd, ...came }]);
  }
  // It settles its running calls before it ends.
  await victim.end('SIGTERM');
  const wallets = await readWallets(arena, [account]);
  const booked = await readCalls();
  const late = booked.filter(({ code }) => code !== 'LOST').length;
  return {
    name: account,
    line: `${lost.length} calls of a stopped service were lost, one was corrected, ${late} were settled late`,
    corrections: new Map([[corrected, correctedPicoUsd]]),
    caps: new Map([[account, BigInt(times) * latePicoUsd]]),
    users: users.map((userId, index) => ({
      ...{ account, userId, when: 'for a call that was settled late', leastPicoUsd: 0n },
      paidPicoUsd: (wallets.get(userId) ?? emptyWallet).paidPicoUsd,
      maximumCostPicoUsd: index === 0 ? correctedPicoUsd : surfacePicoUsd,
    })),
  };

  async function readCalls(): Promise<readonly BudgetCall[]> {
    return (await readBudgetRows(arena.store, [account])).calls;
  }

  async function untilLost(): Promise<readonly BudgetCall[]> {
    const { clock } = arena.context;
    const endsMs = clock.monotonic() + lostMsMax;
    for (;;) {
      const calls = await readCalls();
      if (calls.length === times || clock.monotonic() > endsMs) return calls;
      await sleep(clock, 250);
    }
  }
}
