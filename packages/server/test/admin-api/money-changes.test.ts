import { describe, expect, test } from 'vitest';
import { listLines } from '../../src/operations/audit-log/audit-log.ts';
import { setBudget } from '../../src/operations/budgets/budgets.ts';
import { listBindings } from '../../src/operations/projects/bindings.ts';
import { costReport } from '../invoices/read.ts';
import { makeRun } from '../runs/run-stack.ts';
import { type SharedStack, sharedOn, storeKinds, withApps } from '../support/shared-stack.ts';
import { openStack } from '../support/stack.ts';
import { consoleOf } from './support/console-of.ts';

const reason = 'as the invoice has it';
const yamlOn = (store: string) => `
company: acme
store: ${store}
platforms:
  sandbox: { kind: simulator }
  claude: { kind: anthropic, apiKey: secret }
apps:
  - { name: search, dailyBudgetUsd: "5" }
  - { name: tutor, dailyBudgetUsd: "5", credits: { monthlyGrant: "100", usdPerCredit: "0.01" } }
`;

describe.each(storeKinds)('changes of money on %s', (kind) => {
  const shared = sharedOn(kind, async (store) =>
    withApps(await openStack({ yaml: yamlOn(store) })),
  );

  async function lines({ stack }: SharedStack) {
    const all = { subject: undefined, actor: undefined, since: undefined, limit: 1_000 };
    return listLines(stack.admin, all);
  }

  async function callOf({ stack }: SharedStack, app: string): Promise<Response> {
    await stack.clock.run(stack.service.registry.refresh());
    const messages = [{ role: 'user', content: 'hello' }];
    const body = { model: 'sim-echo', messages, maxTokens: 9 };
    return stack.post(app, '/v1/chat', body);
  }

  test('a wallet is topped up once per reference, and debited by its name', async () => {
    const of = shared();
    const path = 'POST /apps/tutor/wallets/user-7/entries';
    const ask = consoleOf(of.stack)('finance');
    const entry = { credits: '20', reference: 'order-1', reason };
    const planned = await ask(path, { ...entry, dryRun: true });
    expect(planned.body).toMatchObject({ changes: [{ action: 'wallet.top-up' }] });
    const made = await ask(path, entry);
    expect(made.body.result).toEqual(planned.body.result);
    expect(made.body.result).toMatchObject({ wallet: { available: '120' }, isNewUser: true });
    const before = await lines(of);
    expect((await ask(path, entry)).body).toMatchObject({
      ...{ changes: [], result: { isRepeated: true, wallet: { available: '120' } } },
    });
    const other = await ask(path, { ...entry, credits: '21' });
    expect(other).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT' } } });
    for (const [body, status, field] of [
      [{ credits: '-5', reason }, 400, 'confirm'],
      [{ credits: '-50', reason, confirm: 'user-7' }, 409, undefined],
      [{ credits: '0', reason }, 400, 'credits'],
      [{ credits: '1e2', reason }, 400, 'credits'],
      [{ credits: 5, reason }, 400, 'credits'],
      [{ credits: '5', reason, reference: '' }, 400, 'reference'],
    ] as const) {
      const reply = await ask(path, body);
      expect([body, reply.status, reply.body.error.field]).toEqual([body, status, field]);
    }
    expect(await lines(of)).toEqual(before);
    const debit = await ask(path, { credits: '-5', reason, confirm: 'user-7' });
    expect(debit.body).toMatchObject({
      changes: [{ action: 'wallet.debit', before: '20 credits' }],
      result: { wallet: { available: '115' } },
    });
    const team = consoleOf(of.stack)('team', { apps: ['tutor'] });
    expect((await team(path, entry)).status).toBe(403);
    const allowed = consoleOf(of.stack)('team', { apps: ['tutor'], teamWallets: true });
    expect((await allowed(path, entry)).status).toBe(200);
    const others = consoleOf(of.stack)('team', { apps: ['search'], teamWallets: true });
    expect((await others(path, entry)).status).toBe(404);
  });

  test('a cost is corrected, and a far too large one needs confirmation', async () => {
    const of = shared();
    const ask = consoleOf(of.stack)('finance');
    const answer = await callOf(of, 'search');
    await answer.text();
    const id = answer.headers.get('x-call-id') ?? '';
    const path = `PUT /calls/${id}/correction`;
    const planned = await ask(path, { usd: '0.5', reason, dryRun: true });
    expect(planned.body.result).toMatchObject({ callId: id, usd: '0.5', isLarge: true });
    expect((await ask(path, { usd: '0.5', reason })).body.error.field).toBe('confirm');
    const made = await ask(path, { usd: '0.5', reason, reference: 'bill', confirm: id });
    expect(made.body.changes).toMatchObject([{ action: 'call.correct', subject: id }]);
    const before = await lines(of);
    const again = await ask(path, { usd: '0.5', reason, reference: 'bill' });
    expect(again.body).toMatchObject({ changes: [], result: { isDone: true } });
    expect((await ask(path, { usd: '0.6', reason, reference: 'bill' })).status).toBe(409);
    const unknown = await ask('PUT /calls/call_none/correction', { usd: '0.6', reason });
    expect(unknown.status).toBe(409);
    expect(await lines(of)).toEqual(before);
    expect(await of.stack.clock.run(of.stack.audit())).toMatchObject({ clean: true });
  });

  test('a day is closed and reopened', async () => {
    const of = shared();
    const app = await of.newApp();
    const ask = consoleOf(of.stack)('finance');
    const closing = { app, reason };
    const planned = await ask('POST /days/close', { ...closing, dryRun: true });
    expect(planned.body).toMatchObject({ result: [{ app, callId: null, bookedUsd: '5' }] });
    expect((await ask('POST /days/close', closing)).body.error.field).toBe('confirm');
    const closed = await ask('POST /days/close', { ...closing, confirm: app });
    expect(closed.body.changes).toMatchObject([{ action: 'day.close' }]);
    expect((await callOf(of, app)).status).toBe(429);
    const plan = await ask('POST /days/reopen', { ...closing, dryRun: true });
    const reopened = await ask('POST /days/reopen', closing);
    expect(reopened.body.result).toEqual(plan.body.result);
    expect((await callOf(of, app)).status).toBe(200);
    expect(
      (await ask('POST /days/close', { ...closing, day: '2026-02-31' })).body.error.field,
    ).toBe('day');
  });

  test('a restored store is closed and reopened', async () => {
    const of = shared();
    const app = await of.newApp();
    const ask = consoleOf(of.stack)('finance');
    const lab = `lab-${app}`;
    await setBudget(of.stack.admin, lab, { apps: [app], monthlyPicoUsd: 10n ** 12n }, []);
    const closing = { app: 'all', reason };
    const planned = await ask('POST /days/close', { ...closing, dryRun: true });
    expect(planned.body.changes[0]).toMatchObject({ action: 'store.restored' });
    expect(planned.body.changes[0].after).toContain(`${lab} (month)`);
    await ask('POST /days/close', { ...closing, confirm: 'all' });
    const refused = await callOf(of, app);
    expect(refused.headers.get('x-budget-scope')).toBe(`group-month:${lab}`);
    const { problems } = (await ask('GET /overview')).body;
    expect(problems).toContainEqual(expect.objectContaining({ kind: 'closed' }));
    expect((await ask(`POST /budgets/${lab}/reopen`, { reason })).body.error.field).toBe('confirm');
    const opened = await ask(`POST /budgets/${lab}/reopen`, { reason, confirm: lab });
    expect(opened.body).toMatchObject({
      changes: [{ action: 'budget.reopen', subject: `group:${lab}` }],
      result: [{ name: lab, closedAt: null }],
    });
    const again = await ask(`POST /budgets/${lab}/reopen`, { reason, confirm: lab });
    expect(again.body.error.message).toContain(`the budget ${lab} is not closed`);
    const plan = await ask('POST /days/reopen', { ...closing, dryRun: true });
    expect(plan.body.changes[0]).toMatchObject({ action: 'budget.reopen', subject: 'all' });
    expect((await ask('POST /days/reopen', closing)).body.error.field).toBe('confirm');
    const reopened = await ask('POST /days/reopen', { ...closing, confirm: 'all' });
    expect(reopened.body.result).toEqual(plan.body.result);
    const wallets = await ask('POST /wallets/reopen', { reason, confirm: 'all' });
    expect(wallets.body.changes).toMatchObject([{ action: 'wallet.reopen', subject: 'wallets' }]);
    expect((await callOf(of, app)).status).toBe(200);
  });

  test('a run is ended once', async () => {
    const of = shared();
    const ask = consoleOf(of.stack)('operator');
    const { runId } = await makeRun(of.stack, 'search');
    const planned = await ask(`POST /runs/${runId}/end`, { reason, dryRun: true });
    const ended = await ask(`POST /runs/${runId}/end`, { reason });
    expect(ended.body.changes).toEqual(planned.body.changes);
    expect(ended.body.result).toMatchObject({ id: runId, endedAt: expect.any(String) });
    expect((await ask(`POST /runs/${runId}/end`, { reason })).body.changes).toEqual([]);
    expect((await ask('POST /runs/run_none/end', { reason })).status).toBe(404);
  });

  test('an invoice is uploaded once, and a bad one changes nothing', async () => {
    const of = shared();
    const ask = consoleOf(of.stack)('finance');
    const upload = (text: string) => ({
      ...{ platform: 'claude', reason, files: [{ name: 'cost.json', text }] },
    });
    const path = 'POST /reconcile/import';
    const planned = await ask(path, { ...upload(costReport()), dryRun: true });
    expect(planned.body).toMatchObject({ dryRun: true, result: { isRepeated: false } });
    const made = await ask(path, upload(costReport()));
    expect(made.body.result).toEqual(planned.body.result);
    expect(made.body.changes).toMatchObject([{ action: 'invoice.import' }]);
    const base64 = Buffer.from(costReport()).toString('base64');
    const again = await ask(path, { ...upload(''), files: [{ name: 'b.json', base64 }] });
    expect(again.body).toMatchObject({ changes: [], result: { isRepeated: true } });
    const before = await lines(of);
    for (const [body, field] of [
      [upload('no invoice'), 'files'],
      [{ ...upload(costReport()), platform: 'nobody' }, 'platform'],
      [{ ...upload(''), files: [{ name: 'data-00002.csv', text: 'a' }] }, 'files'],
      [{ ...upload(''), files: [] }, 'files'],
    ] as const) {
      const reply = await ask(path, body);
      expect([reply.status, reply.body.error.field]).toEqual([400, field]);
    }
    const fetched = { platform: 'sandbox', from: '2026-11-01', to: '2026-11-02', reason };
    expect((await ask('POST /reconcile/fetch', fetched)).body.error.field).toBe('platform');
    expect((await ask('POST /reconcile/settle', { day: '2026-11-01', reason })).status).toBe(400);
    expect(await lines(of)).toEqual(before);
    const settled = { day: '2026-11-01', confirm: '2026-11-01', reason };
    expect((await ask('POST /reconcile/settle', settled)).body).toMatchObject({ result: [] });
    for (const role of ['viewer', 'team', 'operator'] as const) {
      const other = consoleOf(of.stack)(role);
      expect((await other(path, upload(costReport()))).status).toBe(
        role === 'operator' ? 200 : 403,
      );
    }
  });

  test('an app is bound to its own project', async () => {
    const of = shared();
    const [one, two] = [await of.newApp(), await of.newApp()];
    const ask = consoleOf(of.stack)('operator');
    const binding = (app: string) => ({ app, platform: 'sandbox', projectId: 'proj_x', reason });
    const bound = async () =>
      (await listBindings(of.stack.admin)).filter(({ projectId }) => projectId === 'proj_x');
    const planned = await ask('POST /projects/bindings', { ...binding(one), dryRun: true });
    expect(await bound()).toEqual([]);
    const made = await ask('POST /projects/bindings', binding(one));
    expect(made.body.changes).toEqual(planned.body.changes);
    expect(made.body.changes).toMatchObject([{ action: 'project.bind' }]);
    expect(await bound()).toEqual([made.body.result]);
    expect((await ask('POST /projects/bindings', binding(two))).status).toBe(409);
    const nowhere = { ...binding(one), platform: 'nowhere' };
    expect((await ask('POST /projects/bindings', nowhere)).status).toBe(404);
    expect((await ask('POST /projects/plan', {})).body).toEqual({ items: [] });
    expect((await ask('POST /projects/apply', { reason })).body).toMatchObject({ changes: [] });
    expect((await ask('POST /webhooks/none/test', {})).status).toBe(404);
  });
});
