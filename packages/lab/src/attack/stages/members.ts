import { utcDayOf } from '@model-gateway/server/lib/clock';
import {
  attackApps,
  memberPicoUsd,
  scopedInstructions,
  spareApp,
  surfacePicoUsd,
} from '../arena/accounts.ts';
import { countOf, type StageParts, type StageResult } from '../arena/stage.ts';
import type { CallResult, ScopeBook } from '../books/books.ts';
import type { BudgetCall } from '../books/budget-rows.ts';
import { sum } from '../books/spent-caps.ts';
import { changeMembers } from '../members/change-members.ts';
import { fillUsers } from '../members/fill-users.ts';
import { createLoad, type Load, roomyPicoUsd } from '../members/load.ts';
import { sharedGroup, unusualUserIds } from '../members/user-ids.ts';
import { createWatch, type Watch } from '../members/watch.ts';
import { callOnSurfaces } from './call-on-surfaces.ts';
import { stayClearOfMidnight } from './kills.ts';

const stageMsMax = 180_000;
const crowded = 4;
const dayFits = 7;
const monthFits = 5;
/** The first half still runs when the second comes. */
const crowdInstructions = { ...scopedInstructions, delayMs: 2_000 };
const { odd, early, late, mover } = attackApps;
const all = [odd.name, early.name, late.name, mover.name];

/** Members after each round; no budget exists before the first change. */
const rounds = [
  { members: [], by: 'api', isKilled: false },
  { members: [early.name, mover.name], by: 'command', isKilled: false },
  { members: [early.name, odd.name], by: 'api', isKilled: true },
  { members: [late.name], by: 'command', isKilled: false },
  { members: [odd.name, late.name, mover.name], by: 'api', isKilled: false },
  { members: [mover.name], by: 'command', isKilled: true },
  { members: all, by: 'api', isKilled: false },
] as const;

/**
 * Members change while calls run, also during a kill. Rows are compared after each step; then
 * crowds fill every budget to the last pico-USD.
 */
export async function members(parts: StageParts): Promise<StageResult> {
  await stayClearOfMidnight(parts.arena, stageMsMax);
  const day = utcDayOf(parts.arena.admin.clock.now());
  const watch = createWatch(parts.arena, { apps: all, day });
  const userIds = unusualUserIds(day);
  const load = createLoad(parts, watch, { apps: all, users: userIds });
  for (const round of rounds) await load.play(round);
  const inRounds = [...load.callResults];
  const users = await fillUsers(parts, (await watch.untilNothingRuns()).calls, userIds);
  load.callResults.push(...users.callResults);
  const scopes = [
    await fill(parts, { load, watch, span: 'day' }),
    await fill(parts, { load, watch, span: 'month' }),
  ];
  const { calls } = await watch.check('at the end');
  const caps = all.map(
    (account) =>
      [
        account,
        capOf(account, { inRounds, calls, userFits: users.crowd.fits }) +
          load.corrections.raised(account),
      ] as const,
  );
  const killed = rounds.filter(({ isKilled }) => isKilled).length;
  return {
    name: 'members',
    line: `${rounds.length - 1} changes under up to ${load.running()} running calls, ${killed} of them under kill -9, ${userIds.length} odd user ids, ${load.callResults.length} calls`,
    crowd: users.crowd,
    scopes,
    budgets: watch.checks,
    corrections: load.corrections.made,
    caps: new Map(caps),
    broken: users.broken,
  };
}

/** Leaves the group's budget enough for some calls of one period, and makes far more. */
async function fill(
  parts: StageParts,
  {
    load,
    watch,
    span,
  }: { readonly load: Load; readonly watch: Watch; readonly span: 'day' | 'month' },
): Promise<ScopeBook> {
  const { arena } = parts;
  const fits = span === 'day' ? dayFits : monthFits;
  const { calls } = await watch.untilNothingRuns();
  const groupCapPicoUsd = sum(calls, ({ picoUsd }) => picoUsd) + BigInt(fits) * surfacePicoUsd;
  const caps = {
    dailyPicoUsd: span === 'day' ? groupCapPicoUsd : roomyPicoUsd,
    monthlyPicoUsd: span === 'month' ? groupCapPicoUsd : roomyPicoUsd,
  };
  const setTo = (apps: readonly string[]) => changeMembers(arena, 'api', { apps, ...caps });
  await setTo(all);
  const callAll = (firstIndex: number) =>
    callOnSurfaces(parts, {
      ...{ account: early.name, apiKey: arena.key(early.name), instructions: crowdInstructions },
      ...{ times: crowded / 2, firstIndex },
    });
  const firstIndex = span === 'day' ? 50_000 : 60_000;
  let isOver = false;
  const first = callAll(firstIndex).finally(() => {
    isOver = true;
  });
  await watch.untilSomeRun(fits, () => isOver);
  // A member without calls does not change the remaining budget.
  await setTo([...all, spareApp]);
  const second = callAll(firstIndex + 1_000);
  await setTo(all);
  const results = [...(await first), ...(await second)];
  load.callResults.push(...results);
  return {
    ...{ name: `group-${span}:${sharedGroup}`, capPicoUsd: groupCapPicoUsd, fits },
    labels: new Set(load.callResults.map(({ label }) => label)),
    crowd: new Set(results.map(({ label }) => label)),
  };
}

function capOf(
  account: string,
  parts: {
    readonly inRounds: readonly CallResult[];
    readonly calls: readonly BudgetCall[];
    readonly userFits: number;
  },
): bigint {
  const own = parts.inRounds.filter((call) => call.account === account);
  const lost = parts.calls.filter(({ app, code }) => app === account && code === 'LOST');
  const users = account === odd.name ? parts.userFits : 0;
  const filled = account === early.name ? dayFits + monthFits : 0;
  return (
    BigInt(countOf(own, 'answered') + users) * memberPicoUsd +
    BigInt(filled) * surfacePicoUsd +
    sum(lost, ({ picoUsd }) => picoUsd)
  );
}
