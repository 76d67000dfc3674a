import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { attackMembers } from './support/members-alone.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'model-gateway-members-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The group's rows are its day and its month, each with its own fault. */
const day = "scope = 'group:shift' and length(period) = 10";
const month = "scope = 'group:shift' and length(period) = 7";
const isNew = (row: string) => row.replaceAll(/scope|period/g, 'new.$&');

/** Whether the list of a call names the group's day. */
const names = (row: string) => `
  exists (select 1 from json_each(${row}.scopes) where value like 'group:shift@__________')`;

/** The list of a call is matched as text: its user's id resembles the group's key. */
const textOfLists = `
  create trigger matches_text after insert on call
    when new.app = 'odd' and new.scopes like '%"group:shift%' and not ${names('new')}
  begin
    update budget_scope set spent = spent + new.cost where ${day};
  end;`;

/** An app that becomes a member carries over no spending. */
const bringsNothing = `
  create trigger brings_nothing after update of cap on budget_scope
    when new.brought > old.brought and ${isNew(month)}
  begin
    update budget_scope
       set spent = new.spent - (new.brought - old.brought), brought = old.brought
     where scope = new.scope and period = new.period;
  end;`;

/** A correction changes only the budgets in the call's list. */
const correctsByList = `
  create trigger corrects_by_list after update of brought on budget_member
    when old.left_spent is null and new.left_spent is null and ${isNew(day)}
  begin
    update budget_scope
       set spent = spent - (new.brought - old.brought),
           brought = brought - (new.brought - old.brought)
     where scope = new.scope and period = new.period;
  end;`;

/** A change of members drops the running calls and their reservations. */
const dropsHolds = `
  create trigger forgets_holds after update of cap on budget_scope
    when new.held > 0 and ${isNew(month)}
  begin
    delete from hold_scope where scope = new.scope and period = new.period;
    update budget_scope set held = 0 where scope = new.scope and period = new.period;
  end;`;

/** A change of members reduces the budget by one pico-USD. */
const shrinks = `
  create trigger shrinks after update of cap on budget_scope when ${isNew(day)}
  begin
    update budget_scope set cap = new.cap - 1 where scope = new.scope and period = new.period;
  end;`;

/** Calls of killed gateways are not counted. */
const dropsLostCalls = `
  create trigger forgets_the_lost after insert on call
    when new.code = 'LOST' and ${names('new')}
  begin
    update budget_scope set spent = spent - new.cost where ${month};
  end;`;

/** The user "%" matches every user. */
const matchesAnyUser = `
  create trigger matches_any_user after insert on call when new.app = 'odd' and new.user_id <> '%'
  begin
    update budget_scope set spent = spent + new.cost where scope = 'user:odd:%';
  end;`;

/** Runs the stage with these faults; returns its findings by kind of budget. */
async function runWithFaults(name: string, ...faults: readonly string[]) {
  const result = await attackMembers(folder, name, faults.join('\n'));
  const [ofDay, ofMonth, ofUsers] = result.budgets;
  if (ofDay === undefined || ofMonth === undefined) throw new Error('the group was not checked');
  return { ...result, ofDay, ofMonth, ofUsers };
}

test('the attack finds nothing without a fault', async () => {
  const { budgets, admittedTooMany, broken } = await runWithFaults('sound');
  expect(budgets.flatMap((budget) => budget.findings)).toEqual([]);
  expect(admittedTooMany).toEqual({ 'group-day:shift': 0, 'group-month:shift': 0 });
  expect(broken).toEqual([]);
});

test('the attack detects lists matched as text, and lost spending of members', async () => {
  const { ofDay, ofMonth, admittedTooMany } = await runWithFaults(
    'text',
    textOfLists,
    bringsNothing,
  );
  expect(ofDay).toMatchObject({ lostPicoUsd: 0n });
  expect(ofDay.doubledPicoUsd).toBeGreaterThan(0n);
  expect(ofMonth).toMatchObject({ doubledPicoUsd: 0n });
  expect(ofMonth.lostPicoUsd).toBeGreaterThan(0n);
  expect(admittedTooMany['group-month:shift']).toBeGreaterThan(0);
});

test('the attack detects corrections by lists only, and dropped reservations', async () => {
  const result = await runWithFaults('corrections', correctsByList, dropsHolds);
  const { ofDay, ofMonth, admittedTooMany } = result;
  expect(ofDay).toMatchObject({ wronglyHeldPicoUsd: 0n });
  expect(ofDay.lostPicoUsd + ofDay.doubledPicoUsd).toBeGreaterThan(0n);
  expect(ofMonth).toMatchObject({ doubledPicoUsd: 0n });
  expect(ofMonth.lostPicoUsd).toBeGreaterThan(0n);
  expect(ofMonth.wronglyHeldPicoUsd).toBeGreaterThan(0n);
  expect(admittedTooMany['group-month:shift']).toBeGreaterThan(0);
});

test('the attack detects false rejections, lost calls and a user that matches all', async () => {
  const result = await runWithFaults('kills', shrinks, dropsLostCalls, matchesAnyUser);
  const { ofDay, ofMonth, ofUsers, admittedTooMany, broken } = result;
  expect(ofDay.findings).toEqual([]);
  expect(admittedTooMany['group-day:shift']).toBe(-1);
  expect(ofMonth).toMatchObject({ doubledPicoUsd: 0n });
  expect(ofMonth.lostPicoUsd).toBeGreaterThan(0n);
  expect(ofUsers?.doubledPicoUsd).toBeGreaterThan(0n);
  expect(broken).toEqual([expect.stringContaining('the user "%": 0 calls were admitted')]);
});
