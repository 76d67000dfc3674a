import { nextUtcDayMs, sleep, utcDayOf } from '@model-gateway/server/lib/clock';
import { updateApp } from '@model-gateway/server/operations/apps/apps';
import { attackApps, capOf, createOrdinaryCall } from '../arena/accounts.ts';
import type { Arena } from '../arena/arena.ts';
import { spendRest } from '../arena/spend-rest.ts';
import { countOf, type StageParts, type StageResult } from '../arena/stage.ts';
import type { CallResult } from '../books/books.ts';

const callersAtOnce = 12;
const killsPerRound = 5;
/** Between two kills, so each kill meets running calls. */
const answersBetween = 24;
/** No round begins this close to midnight: the budget of another day would apply halfway. */
const roundMsMax = 120_000;
const labelsPerRound = 10_000;
/** Well below the number of calls that the platform's bill lists individually. */
const callsMax = 80_000;
const changeMs = 1_500;

/**
 * Services are killed while callers spend the budget; with more time it is raised and spent again.
 * Interrupted calls are repeated with their keys.
 */
export async function kills(parts: StageParts, lastsMs: number): Promise<StageResult> {
  const { arena, highestRates } = parts;
  const { clock } = arena.context;
  const app = attackApps.kills;
  const endsMs = clock.monotonic() + lastsMs;
  const roundCap = capOf(app, highestRates);
  let budget = roundCap;
  let earlierDays = 0n;
  let day = utcDayOf(clock.now());
  const results: CallResult[] = [];
  let killed = 0;
  for (let round = 0; round === 0 || mayGoOn(); round++) {
    await stayClearOfMidnight(arena, roundMsMax);
    const today = utcDayOf(clock.now());
    // A new day has the whole budget again.
    if (today !== day) earlierDays += budget;
    day = today;
    if (round > 0) {
      budget += roundCap;
      await updateApp(arena.admin, app.name, { dailyBudgetPicoUsd: budget });
      await sleep(clock, changeMs);
    }
    const spent = await spendUnderKills(parts, round * labelsPerRound);
    results.push(...spent.results);
    killed += spent.kills;
  }
  const answered = countOf(results, 'answered');
  return {
    name: app.name,
    line: `${killed} times kill -9 under load, ${answered} calls answered to the end`,
    // It grows with every round.
    caps: new Map([[app.name, earlierDays + budget]]),
  };

  function mayGoOn(): boolean {
    return clock.monotonic() < endsMs && results.length < callsMax;
  }
}

/** A day that ends within a stage would give its apps another budget. */
export async function stayClearOfMidnight({ context }: Arena, spanMs: number): Promise<void> {
  const untilMidnightMs = nextUtcDayMs(context.clock.now()) - context.clock.now();
  if (untilMidnightMs > spanMs) return;
  context.warn(
    `Waiting ${Math.ceil(untilMidnightMs / 1_000)} s for 00:00 UTC; no day may end during the stage.`,
  );
  await sleep(context.clock, untilMidnightMs + 100);
}

async function spendUnderKills(parts: StageParts, firstIndex: number) {
  const { arena, callers, chance } = parts;
  const account = attackApps.kills.name;
  const results: CallResult[] = [];
  let index = firstIndex;
  let isSpent = false;
  const caller = async () => {
    while (!isSpent) {
      const planned = createOrdinaryCall(attackApps.kills, { ...parts, account, index });
      const way = index++ % 2 === 0 ? 'whole' : 'stream';
      const call = await callers.call(account, planned, way);
      results.push(call);
      isSpent ||= call.kind !== 'answered';
    }
  };
  let killed = 0;
  const killer = async () => {
    for (; killed < killsPerRound && !isSpent; killed++) {
      const next = (killed + 1) * answersBetween;
      while (!isSpent && countOf(results, 'answered') < next) await sleep(arena.context.clock, 20);
      if (isSpent) return;
      await sleep(arena.context.clock, chance.below(100));
      await arena.killAndRestart(chance.below(arena.urls().length));
    }
  };
  await Promise.all([killer(), ...Array.from({ length: callersAtOnce }, caller)]);
  await spendRest(parts, account, { firstIndex: firstIndex + labelsPerRound / 2 });
  return { results, kills: killed };
}
