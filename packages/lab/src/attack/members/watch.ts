import { sleep } from '@model-gateway/server/lib/clock';
import { attackApps } from '../arena/accounts.ts';
import type { Arena } from '../arena/arena.ts';
import type { BudgetCheck } from '../books/books.ts';
import { type BudgetRows, readBudgetRows } from '../books/budget-rows.ts';
import { checkUsers, createReckoning } from './reckoning.ts';
import { sharedGroup } from './user-ids.ts';

export interface Watch {
  readonly checks: readonly BudgetCheck[];
  members(): readonly string[];
  read(): Promise<BudgetRows>;
  beforeChange(): Promise<void>;
  /** `members` are the members since a change after the last read. */
  check(when: string, members?: readonly string[]): Promise<BudgetRows>;
  untilSomeRun(calls: number, isOver: () => boolean): Promise<void>;
  untilNothingRuns(): Promise<BudgetRows>;
}

const waitMsMax = 60_000;

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
