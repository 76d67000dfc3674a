import { sleep } from '@model-gateway/server/lib/clock';
import { attackApps } from '../accounts.ts';
import type { Arena } from '../arena.ts';
import type { BudgetCheck } from '../books/books.ts';
import { type BudgetRows, readBudgetRows } from '../books/budget-rows.ts';
import { checkUsers, createReckoning } from './reckoning.ts';
import { sharedGroup } from './user-ids.ts';

/** Who compares the group's budgets and those of the users with the calls, as they change. */
export interface Watch {
  readonly checks: readonly BudgetCheck[];
  members(): readonly string[];
  read(): Promise<BudgetRows>;
  /** Reads right before a change of members: calls that have ended by now ended before it. */
  beforeChange(): Promise<void>;
  /** Compares; `members` are those since a change that came after the last reading. */
  check(when: string, members?: readonly string[]): Promise<BudgetRows>;
  /** Waits until so many calls of the apps run, or it is over. */
  untilSomeRun(calls: number, isOver: () => boolean): Promise<void>;
  /** Waits until none runs, those of killed gateways included. */
  untilNothingRuns(): Promise<BudgetRows>;
}

const waitMsMax = 60_000;

/** Watches the calls of some apps on one day. */
export function createWatch(
  { store, context: { clock } }: Arena,
  { apps, day }: { readonly apps: readonly string[]; readonly day: string },
): Watch {
  const reckoning = createReckoning(`group:${sharedGroup}`, [day, day.slice(0, 7)]);
  const checks: BudgetCheck[] = [];
  let members: readonly string[] = [];
  const read = () => readBudgetRows(store, apps);
  return {
    ...{ checks, members: () => members, read, check },
    async beforeChange() {
      reckoning.note(await read(), { before: members, after: members });
    },
    untilSomeRun: (calls, isOver) => until(({ holds }) => holds.length >= calls || isOver()),
    async untilNothingRuns() {
      await until(({ holds }) => holds.length === 0);
      return check('when nothing ran');
    },
  };

  async function check(when: string, after = members): Promise<BudgetRows> {
    const rows = await read();
    reckoning.note(rows, { before: members, after });
    members = after;
    const ofUsers = checkUsers(rows, { app: attackApps.odd.name, day, when });
    checks.push(...reckoning.checks(rows, when), ...ofUsers);
    return rows;
  }

  async function until(isSo: (rows: BudgetRows) => boolean): Promise<void> {
    const endsMs = clock.monotonic() + waitMsMax;
    while (!isSo(await read()) && clock.monotonic() < endsMs) await sleep(clock, 20);
  }
}
