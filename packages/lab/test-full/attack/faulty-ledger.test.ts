import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStore } from '../../../server/src/compose/open-store.ts';
import { silentLog } from '../../../server/src/lib/log.ts';
import { runBin } from '../../../server/test/cli/support/bin.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'model-gateway-faulty-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

interface AppFigures {
  readonly name: string;
  readonly capUsd: string;
  readonly overspendUsd: string;
}

interface AttackReport {
  readonly isClean: boolean;
  readonly apps: readonly AppFigures[];
  readonly scopes: readonly AppFigures[];
  readonly broken: readonly string[];
}

/**
 * Faults in the store, so real services with a real ledger have them. One app's budget is doubled.
 * Another's grows by its reservations with each change. Every call of a third is booked twice. One
 * protocol bypasses a fourth app's budget: it books calls without counting them, and claims a
 * result for each retry without a key. A group's budget grows by its reservations too.
 */
async function faultyStore(): Promise<string> {
  const path = join(folder, 'faulty.db');
  const onDeath = (error: Error) => {
    throw error;
  };
  const store = await openStore({ target: { kind: 'sqlite', path }, onDeath, log: silentLog });
  await store.close();
  const database = new DatabaseSync(path);
  const columns = database
    .prepare("select name from pragma_table_info('call') where name <> 'call_id'")
    .all()
    .map(({ name }) => String(name))
    .join(', ');
  const keyColumns = database
    .prepare("select name from pragma_table_info('idempotency')")
    .all()
    .map(({ name }) => String(name));
  database.exec(`
    create trigger doubles_the_cap after insert on budget_day when new.app = 'crowd'
    begin
      update budget_day set cap = cap * 2 where app = new.app and day = new.day;
    end;
    create trigger forgets_holds after update on budget_day when new.app = 'unpriced'
    begin
      update budget_day set cap = cap + held where app = new.app and day = new.day;
    end;
    create trigger forgets_holds_of_a_group after update on budget_scope
      when new.scope = 'group:team'
    begin
      update budget_scope set cap = cap + held where scope = new.scope and period = new.period;
    end;
    create trigger leaves_out_messages after update on budget_day when new.app = 'surfaces'
    begin
      update budget_day
         set spent = (
               select coalesce(sum(cost), 0) from call
                where app = new.app and day = new.day and route <> 'messages'
             )
       where app = new.app and day = new.day;
    end;
    create trigger keeps_what_is_claimed after delete on idempotency when old.app = 'surfaces'
    begin
      insert into idempotency (${keyColumns.join(', ')})
      values (${keyColumns.map((name) => `old.${name}`).join(', ')});
    end;
    create trigger books_twice after insert on call when new.app = 'duplicates'
    begin
      insert into call (call_id, ${columns})
      select call_id || '_again', ${columns} from call where call_id = new.call_id;
    end;`);
  database.close();
  return path;
}

test('the attack detects a gateway with faults, by the app with the fault', async () => {
  const store = `sqlite:${await faultyStore()}`;
  const commandLine = ['attack', '--json', '--seed', '7', '--store', store];
  const { code, out, errors } = await runBin(commandLine);
  expect(errors).toContain('The attack found a breach');
  expect(code).toBe(1);
  const report: AttackReport = JSON.parse(out);
  expect(report.isClean).toBe(false);
  const apps = new Map(report.apps.map((app) => [app.name, app]));
  const clean = { overspendUsd: '0', falseRefusals: 0, lost: 0, doubled: 0, heldUsd: '0' };
  // Twice the budget, to the last pico-USD.
  expect(apps.get('crowd')).toMatchObject({ ...clean, overspendUsd: apps.get('crowd')?.capUsd });
  expect(Number(apps.get('unpriced')?.overspendUsd)).toBeGreaterThan(0);
  expect(Number(apps.get('surfaces')?.overspendUsd)).toBeGreaterThan(0);
  const lost = report.broken.filter(
    (line) => line.startsWith('surfaces/') && line.includes('lost'),
  );
  expect(lost).toEqual([]);
  expect(apps.get('surfaces')).toMatchObject({ lost: 0, doubled: 0 });
  // Each of four calls, by its marked retry.
  const twice = report.broken.filter((line) =>
    line.includes('sent twice to requests without a key'),
  );
  expect(twice).toHaveLength(4);
  expect(apps.get('duplicates')).toMatchObject({ doubled: 60 });
  const scopes = new Map(report.scopes.map((scope) => [scope.name, scope]));
  expect(Number(scopes.get('group-month:team')?.overspendUsd)).toBeGreaterThan(0);
  for (const scope of ['user-day', 'key-day', 'app-month', 'app-day', 'group-day:pair']) {
    expect(scopes.get(scope)).toMatchObject({ overspendUsd: '0', falseRefusals: 0 });
  }
  for (const app of ['forbidden', 'normalizing', 'overstated', 'losses', 'midnight-1', 'kills']) {
    expect(apps.get(app)).toMatchObject(clean);
  }
});
