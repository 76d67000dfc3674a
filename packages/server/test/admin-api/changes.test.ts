import { describe, expect, test, vi } from 'vitest';
import { parseUsd } from '../../src/lib/money.ts';
import { createApp, updateApp } from '../../src/operations/apps/apps.ts';
import { capToday } from '../../src/operations/apps/operations.ts';
import { listLines } from '../../src/operations/audit-log/audit-log.ts';
import type { LineDocument } from '../../src/operations/documents/audit-log.ts';
import { disableKey, issueKey } from '../../src/operations/keys/keys.ts';
import { countRefusals } from '../../src/store/queries/refusals.ts';
import { consolePartsOf } from '../support/console-parts.ts';
import { type SharedStack, sharedOn, storeKinds, withApps } from '../support/shared-stack.ts';
import { defaultYaml, openStack } from '../support/stack.ts';
import { consoleOf } from './support/console-of.ts';

const reason = 'they asked for it';
const actor = 'console:ada (operator session ses_1)';

describe.each(storeKinds)('changes of the console on %s', (kind) => {
  const shared = sharedOn(kind, async (store) =>
    withApps(
      await openStack({
        yaml: defaultYaml.replace('store: sqlite:./gateway.db', `store: ${store}`),
      }),
    ),
  );

  async function call({ stack }: SharedStack, app: string): Promise<number> {
    await stack.clock.run(stack.service.registry.refresh());
    const messages = [{ role: 'user', content: 'hello' }];
    const answer = await stack.post(app, '/v1/chat', { model: 'sim-echo', messages, maxTokens: 9 });
    await answer.text();
    return answer.status;
  }

  /** The lines after `known`, without the fields that differ in every change. */
  async function linesSince({ stack }: SharedStack, known: ReadonlySet<string>) {
    const all = { subject: undefined, actor: undefined, since: undefined, limit: 1_000 };
    const lines = await listLines(stack.admin, all);
    return lines.filter(({ id }) => !known.has(id)).toReversed();
  }
  const known = async (of: SharedStack) =>
    new Set((await linesSince(of, new Set())).map(({ id }) => id));
  const plain = (lines: readonly LineDocument[], app: string) =>
    lines.map(({ action, subject, before, after }) =>
      JSON.parse(JSON.stringify({ action, subject, before, after }).replaceAll(app, 'APP')),
    );

  test('a change can be made from the state that the page was shown', async () => {
    const { stack, newApp } = shared();
    const app = await newApp();
    const ask = consoleOf(stack)('operator');
    const { etag } = await ask(`GET /apps/${app}`);
    const body = { settings: { dailyBudgetUsd: '6' }, reason };
    expect((await ask(`PATCH /apps/${app}`, { ...body, dryRun: true }, etag)).status).toBe(200);
    expect((await ask(`PATCH /apps/${app}`, body, etag)).status).toBe(200);
    expect((await ask(`PATCH /apps/${app}`, body, etag)).status).toBe(412);
  });

  test('a rejected request is a change of its app and of Today', async () => {
    const { stack, newApp } = shared();
    const app = await newApp();
    const { reads } = consolePartsOf(stack);
    const nowMs = stack.clock.now();
    const changesAfterRefusal = async () => {
      const hour = nowMs - (nowMs % 3_600_000);
      const row = { app, hour, code: 'BUDGET_EXCEEDED', refused: 1, lastAt: nowMs };
      const unknown = { lastMessage: undefined, lastRequestId: undefined };
      await stack.service.store.write(countRefusals([{ ...row, ...unknown }]));
      return reads.changes();
    };
    const first = await changesAfterRefusal();
    const second = await changesAfterRefusal();
    const quiet = await reads.changes();
    for (const topic of [`app:${app}`, 'overview']) {
      expect(first.get(topic), topic).toBeDefined();
      expect(second.get(topic), topic).not.toBe(first.get(topic));
      expect(quiet.get(topic), topic).toBe(second.get(topic));
    }
  });

  test('Today is one read for many consoles, and changes at once', async () => {
    const { stack, newApp } = shared();
    const app = await newApp({ dailyBudgetPicoUsd: 5_000_000_000_000n });
    const ask = consoleOf(stack)('operator');
    const capsOf = (answers: readonly { readonly body: unknown }[]) =>
      answers.map(({ body }) => {
        const { apps }: { apps: { app: string; capUsd: string }[] } = JSON.parse(
          JSON.stringify(body),
        );
        return apps.find((one) => one.app === app)?.capUsd;
      });
    let reads = 0;
    const { store } = stack.service;
    const readForOperator = store.readForOperator.bind(store);
    vi.spyOn(store, 'readForOperator').mockImplementation((query) => {
      reads += 1;
      return readForOperator(query);
    });
    await ask('GET /overview');
    await stack.clock.advance(1_000);
    reads = 0;
    await ask('GET /overview');
    const ofOne = reads;
    await stack.clock.advance(1_000);
    reads = 0;
    const many = await Promise.all(Array.from({ length: 10 }, () => ask('GET /overview')));
    expect(reads).toBeLessThan(2 * ofOne);
    expect(new Set(capsOf(many))).toEqual(new Set(['5']));
    const body = { settings: { dailyBudgetUsd: '6' }, reason };
    const { etag } = await ask(`GET /apps/${app}`);
    expect((await ask(`PATCH /apps/${app}`, body, etag)).status).toBe(200);
    expect(capsOf([await ask('GET /overview')])).toEqual(['6']);
    vi.restoreAllMocks();
  });

  test('a raised budget admits the call that it rejected', async () => {
    const of = shared();
    const app = await of.newApp({ dailyBudgetPicoUsd: 0n });
    const ask = consoleOf(of.stack)('operator');
    expect(await call(of, app)).toBe(429);
    const settings = { dailyBudgetUsd: '5' };
    const refused = await ask(`PATCH /apps/${app}`, { settings, reason });
    expect(refused).toMatchObject({ status: 400, body: { error: { field: 'if-match' } } });
    const planned = await ask(`PATCH /apps/${app}`, { settings, reason, dryRun: true }, '*');
    expect(planned.body).toMatchObject({
      dryRun: true,
      changes: [{ action: 'app.update', subject: app }],
      result: { app: { dailyBudgetUsd: '5' }, today: { after: { remainingUsd: '5' } } },
    });
    expect(await call(of, app)).toBe(429);
    const made = await ask(`PATCH /apps/${app}`, { settings, reason }, '*');
    expect(made).toMatchObject({ status: 200, body: { dryRun: false } });
    expect({ ...made.body, dryRun: true }).toEqual(planned.body);
    expect(made.etag).toBe(planned.etag);
    expect(await call(of, app)).toBe(200);
  });

  test('each change writes the same audit line as the command line', async () => {
    const of = shared();
    const { admin } = of.stack;
    const [one, two] = [await of.newApp(), await of.newApp()];
    const ask = consoleOf(of.stack)('operator');
    const pairs: readonly [() => Promise<unknown>, () => Promise<unknown>][] = [
      [
        () => ask(`PATCH /apps/${one}`, { settings: { monthlyBudgetUsd: '9.5' }, reason }, '*'),
        () => updateApp(admin, two, { monthlyBudgetPicoUsd: parseUsd('9.5') }),
      ],
      [
        () =>
          ask(
            `PATCH /apps/${one}`,
            { settings: { dailyBudgetUsd: '7' }, until: 'midnight', reason },
            '*',
          ),
        () => capToday(admin, two, 7n * 10n ** 12n),
      ],
      [
        () =>
          ask(`PATCH /apps/${one}`, { settings: { enabled: false }, confirm: one, reason }, '*'),
        () => updateApp(admin, two, { enabled: false }),
      ],
      [
        () =>
          ask(
            `PATCH /apps/${one}`,
            { settings: { models: ['sim-echo'], unpriced: 'free', plans: {} }, reason },
            '*',
          ),
        () => updateApp(admin, two, { models: ['sim-echo'], unpriced: 'free', plans: {} }),
      ],
    ];
    for (const [byConsole, byCommand] of pairs) {
      const before = await known(of);
      expect(await byConsole()).toMatchObject({ status: 200 });
      const ours = await linesSince(of, before);
      expect(ours.map((line) => [line.actor, line.reason])).toEqual(
        ours.map(() => [actor, reason]),
      );
      const then = await known(of);
      await byCommand();
      expect(plain(ours, one)).toEqual(plain(await linesSince(of, then), two));
      expect(ours.length).toBeGreaterThan(0);
      // A change without effect writes no line.
      const after = await known(of);
      if (!JSON.stringify(ours).includes('cap-today')) {
        expect(await byConsole()).toMatchObject({ status: 200, body: { changes: [] } });
        expect(await linesSince(of, after)).toEqual([]);
      }
    }
  });

  test('of two racing sessions, one changes and the other gets the current state', async () => {
    const of = shared();
    const app = await of.newApp();
    const [ada, bob] = [{ name: 'ada' }, { name: 'bob' }].map((asker) =>
      consoleOf(of.stack)('operator', asker),
    );
    const seen = await ada?.(`PATCH /apps/${app}`, { settings: { streaming: true }, reason }, '*');
    const change = (usd: string) => ({ settings: { dailyBudgetUsd: usd }, reason });
    const replies = await Promise.all([
      ada?.(`PATCH /apps/${app}`, change('6'), seen?.etag),
      bob?.(`PATCH /apps/${app}`, change('7'), seen?.etag),
    ]);
    const won = replies.find((reply) => reply?.status === 200);
    const lost = replies.find((reply) => reply?.status === 412);
    expect(lost?.body.error).toMatchObject({ code: 'CHANGED', now: won?.body.result.app });
    const stale = await bob?.(`PATCH /apps/${app}`, change('8'), seen?.etag);
    expect(stale?.status).toBe(412);
    expect((await bob?.(`PATCH /apps/${app}`, change('8'), won?.etag))?.status).toBe(200);
  });

  test('a key is issued, rotated and disabled without a failed call', async () => {
    const of = shared();
    const app = await of.newApp();
    const ask = consoleOf(of.stack)('team', { apps: [app] });
    const email = 'team@acme.example';
    const planned = await ask(`POST /apps/${app}/keys`, { email, reason, dryRun: true });
    expect(planned.body).toMatchObject({ result: null, changes: [{ action: 'key.issue' }] });
    const issued = await ask(`POST /apps/${app}/keys`, { email, dailyUsd: '4', reason });
    expect(issued.status).toBe(201);
    const old = issued.body.result;
    const use = async ({ key }: { readonly key: string }) => {
      await of.stack.clock.run(of.stack.service.registry.refresh());
      const body = {
        model: 'sim-echo',
        messages: [{ role: 'user', content: 'hello' }],
        maxTokens: 9,
      };
      const headers = { 'x-api-key': key };
      const answer = await of.stack.post(app, '/v1/chat', body, { headers });
      await answer.text();
      return answer.status;
    };
    expect(await use(old)).toBe(200);
    const rotated = await ask(`POST /keys/${old.id}/rotate`, { graceMinutes: 60, reason });
    expect(rotated).toMatchObject({ status: 201, body: { result: { name: old.name } } });
    expect(rotated.body.result.oldEndsAt).toMatch(/Z$/);
    expect([await use(old), await use(rotated.body.result)]).toEqual([200, 200]);
    expect(await ask(`POST /keys/${old.id}/disable`, { reason })).toMatchObject({ status: 200 });
    expect([await use(old), await use(rotated.body.result)]).toEqual([403, 200]);
    const again = await ask(`POST /keys/${old.id}/disable`, { reason });
    expect(again.body).toMatchObject({ changes: [], result: { enabled: false } });
    // A key is in exactly one response, and in no line of the log or the audit log.
    const secrets = [old.key, rotated.body.result.key];
    const texts = JSON.stringify([of.stack.logLines, await linesSince(of, new Set())]);
    for (const secret of secrets) expect(texts).not.toContain(secret);
    expect(JSON.stringify(issued.body.changes)).not.toContain(old.key);
  });

  test('a team gets no key of another app, and issues none to adminEmail', async () => {
    const of = shared();
    const { admin } = of.stack;
    const [own, other] = [await of.newApp(), await of.newApp()];
    const ask = consoleOf(of.stack)('team', { apps: [own] });
    const theirs = await issueKey(admin, { app: other, email: 'team@acme.example' });
    const admins = await issueKey(admin, { app: own, email: 'ADMIN@acme.example' });
    const before = await known(of);
    const email = 'x@acme.example';
    const unseen = await ask(`POST /keys/${theirs.id}/disable`, { reason });
    const unknown = await ask('POST /keys/key_none/disable', { reason });
    expect(unseen).toMatchObject({ status: 404, body: { error: { code: 'NOT_FOUND' } } });
    expect(unseen.body.error.message.replace(theirs.id, 'key_none')).toBe(
      unknown.body.error.message,
    );
    const [there, nowhere] = [
      await ask(`POST /apps/${other}/keys`, { email, reason }),
      await ask('POST /apps/nowhere/keys', { email, reason }),
    ];
    expect([there.status, nowhere.status]).toEqual([404, 404]);
    expect(there.body.error.message.replace(other, 'nowhere')).toBe(nowhere.body.error.message);
    for (const [asked, body] of [
      [`POST /apps/${own}/keys`, { email: 'Admin@acme.example', reason }],
      [`POST /keys/${admins.id}/rotate`, { reason }],
      [`POST /keys/${admins.id}/enable`, { reason }],
      [`PATCH /apps/${own}`, { settings: { streaming: true }, reason }],
    ] as const) {
      const refused = await ask(asked, body, '*');
      expect([asked, refused.status, refused.body.error.code]).toEqual([asked, 403, 'FORBIDDEN']);
    }
    expect(await linesSince(of, before)).toEqual([]);
    await disableKey(admin, theirs.id);
  });

  test('groups of apps have budgets, which are removed by their name', async () => {
    const of = shared();
    const app = await of.newApp();
    const ask = consoleOf(of.stack)('operator');
    const set = await ask('PUT /budgets/both', { apps: [app], dailyUsd: '0', reason });
    expect(set.body).toMatchObject({ result: [{ name: 'both', capUsd: '0', span: 'day' }] });
    expect(await call(of, app)).toBe(429);
    const shadow = await ask('PUT /budgets/both', { mode: 'shadow', reason });
    expect(shadow.body.changes).toMatchObject([{ action: 'budget.set' }]);
    expect(await call(of, app)).toBe(200);
    expect((await ask('DELETE /budgets/both', { reason })).body.error.field).toBe('confirm');
    const planned = await ask('DELETE /budgets/both', { reason, dryRun: true });
    const removed = await ask('DELETE /budgets/both', { reason, confirm: 'both' });
    expect(removed.body.changes).toEqual(planned.body.changes);
    expect((await ask('DELETE /budgets/both', { reason, confirm: 'both' })).status).toBe(404);
  });

  test('errors name their field, and nothing is written', async () => {
    const of = shared();
    const app = await of.newApp();
    const ask = consoleOf(of.stack)('operator');
    const before = await known(of);
    const patch = (settings: object, more: object = {}) =>
      [`PATCH /apps/${app}`, { settings, reason, ...more }] as const;
    const key = (more: object) => [`POST /apps/${app}/keys`, { reason, ...more }] as const;
    const email = 'team@acme.example';
    const rows: readonly (readonly [readonly [string, object], string | undefined])[] = [
      [[`PATCH /apps/${app}`, { settings: { streaming: true } }], 'reason'],
      [patch({ streaming: true }, { reason: '' }), 'reason'],
      [patch({ streaming: true }, { reason: 'x'.repeat(201) }), 'reason'],
      [patch({ streaming: true }, { reason: 'two\nlines' }), 'reason'],
      [patch({ streaming: true }, { because: 'no' }), 'because'],
      [patch({}), 'settings'],
      [patch({ dailyBudgetUsd: '-1' }), 'settings.dailyBudgetUsd'],
      [patch({ dailyBudgetUsd: 5 }), 'settings.dailyBudgetUsd'],
      [patch({ dailyBudgetUsd: '1e3' }), 'settings.dailyBudgetUsd'],
      [patch({ dailyBudgetUsd: '0.1234567890123' }), 'settings.dailyBudgetUsd'],
      [patch({ dailyBudgetUsd: '10000000' }), 'settings.dailyBudgetUsd'],
      [
        patch({ credits: { monthlyGrant: '1', usdPerCredit: '0.03' } }),
        'settings.credits.usdPerCredit',
      ],
      [patch({ project: 'default' }), undefined],
      [patch({ color: 'red' }), 'settings.color'],
      [patch({ enabled: 'yes' }), 'settings.enabled'],
      [patch({ enabled: false }), 'confirm'],
      [patch({ enabled: false }, { confirm: 'another' }), 'confirm'],
      [patch({ streaming: true }, { until: 'midnight' }), 'until'],
      [key({ email: 'no address' }), 'email'],
      [key({ email, dailyUsd: '99999999999' }), 'dailyUsd'],
      [key({ email, expiresAt: '2020-01-01T00:00:00Z' }), undefined],
      [key({ email, expiresAt: 'tomorrow' }), 'expiresAt'],
      [key({ email, models: [] }), 'models'],
      [['POST /apps', { name: 'Bad Name', reason }], 'name'],
      [['PUT /budgets/both', { reason }], 'apps'],
      [['PUT /budgets/new', { dailyUsd: '1', reason }], 'scope'],
    ];
    for (const [[asked, body], field] of rows) {
      const reply = await ask(asked, body, '*');
      const said = [asked, body, reply.status, reply.body.error?.code];
      expect(said).toEqual([asked, body, 400, 'INVALID']);
      if (field !== undefined) expect([body, reply.body.error.field]).toEqual([body, field]);
    }
    expect(await linesSince(of, before)).toEqual([]);
  });

  test('an app is registered once, and differences from the file are reported', async () => {
    const of = shared();
    const ask = consoleOf(of.stack)('operator');
    const creation = { name: 'fresh', settings: { dailyBudgetUsd: '2' }, reason };
    const planned = await ask('POST /apps', { ...creation, dryRun: true });
    expect(planned.body).toMatchObject({ result: null, changes: [{ action: 'app.create' }] });
    const made = await ask('POST /apps', creation);
    expect(made).toMatchObject({ status: 201, body: { result: { app: { name: 'fresh' } } } });
    expect(made.etag).toMatch(/^"[\w-]{22}"$/);
    expect((await ask('POST /apps', creation)).status).toBe(409);
    const raised = await ask(
      'PATCH /apps/search',
      { settings: { dailyBudgetUsd: '6' }, reason },
      '*',
    );
    expect(raised.body.result.file).toEqual([{ setting: 'dailyBudgetUsd', store: '6', file: '5' }]);
    expect(raised.body.result.note).toContain('Your change stays in effect');
    await createApp(of.stack.admin, 'beside', {});
    const beside = await ask(
      'PATCH /apps/beside',
      { settings: { dailyBudgetUsd: '6' }, reason },
      '*',
    );
    expect(beside.body.result).toMatchObject({ file: [], note: null });
  });
});
