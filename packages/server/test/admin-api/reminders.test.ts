import { describe, expect, test } from 'vitest';
import { until } from '../../../../harness/until.ts';
import { issueKey, rotateKey } from '../../src/operations/keys/keys.ts';
import { bindProject } from '../../src/operations/projects/bindings.ts';
import { costReport } from '../invoices/read.ts';
import { chatOf, meetWithKey } from '../support/exchange.ts';
import { sharedOn, storeKinds, withApps } from '../support/shared-stack.ts';
import { openStack } from '../support/stack.ts';
import { consoleOf } from './support/console-of.ts';

const startMs = Date.parse('2026-06-15T12:00:00Z');
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

describe.each(storeKinds)('reminders of Today on %s', (kind) => {
  const shared = sharedOn(kind, async (store) => {
    const yaml = `
company: acme
store: ${store}
platforms:
  sandbox: { kind: simulator }
  claude: { kind: anthropic, apiKey: k }
apps:
  - { name: search, dailyBudgetUsd: "5" }
  - { name: tutor, dailyBudgetUsd: "5" }
`;
    return withApps(await openStack({ yaml, hasConsole: true, startMs }));
  });

  /** The problems of one kind on Today. */
  async function problemsOf(of: 'key' | 'invoice', ask = consoleOf(shared().stack)('operator')) {
    const { body } = await ask('GET /overview');
    return body.problems.filter((one: { readonly kind: string }) => one.kind === of);
  }

  test('an old key in use is one until it ends', async () => {
    const { stack } = shared();
    const { admin, clock } = stack;
    const issued = await clock.run(issueKey(admin, { app: 'search', email: 'ada@acme.example' }));
    const use = async () => {
      await clock.run(stack.service.registry.refresh());
      const exchange = await meetWithKey(stack, issued.key, (client) =>
        client.chat(chatOf('sim-echo')),
      );
      expect(exchange.status).toBe(200);
      await clock.advance(2 * minuteMs);
    };
    await use();
    const endsMs = clock.now() + hourMs;
    await clock.run(rotateKey(admin, issued.id, { graceMs: hourMs }));
    await clock.advance(2 * minuteMs);
    expect(await problemsOf('key')).toEqual([]);

    await use();
    const end = new Date(endsMs).toISOString();
    const expected = [
      {
        ...{ kind: 'key', app: 'search', href: `/console/calls?key=${issued.id}` },
        text: `old key of search: still in use; its grace period ends at ${end}`,
      },
    ];
    expect(await problemsOf('key')).toEqual(expected);
    const asker = consoleOf(stack);
    expect(await problemsOf('key', asker('team', { apps: ['search'] }))).toEqual(expected);
    expect(await problemsOf('key', asker('team', { apps: ['tutor'] }))).toEqual([]);
    expect((await asker('operator')('GET /health')).body.problems).toEqual([]);

    await clock.advance(endsMs - clock.now() + minuteMs);
    expect(await problemsOf('key')).toEqual([]);
  });

  test('an old key that ends in more than three days is not one yet', async () => {
    const { stack } = shared();
    const { admin, clock } = stack;
    const email = 'eve@acme.example';
    const issued = await clock.run(issueKey(admin, { app: 'tutor', email }));
    await clock.run(rotateKey(admin, issued.id, { graceMs: 73 * hourMs }));
    await clock.advance(2 * minuteMs);
    await clock.run(stack.service.registry.refresh());
    await meetWithKey(stack, issued.key, (client) => client.chat(chatOf('sim-echo')));
    await clock.advance(2 * minuteMs);
    expect(await problemsOf('key')).toEqual([]);
  });

  test('a key that ends without a replacement is one', async () => {
    const { stack } = shared();
    const { admin, clock } = stack;
    const expiresAt = clock.now() + hourMs;
    const limits = { expiresAt };
    const email = 'bob@acme.example';
    const issued = await clock.run(issueKey(admin, { app: 'tutor', email, limits }));
    await clock.run(stack.service.registry.refresh());
    await meetWithKey(stack, issued.key, (client) => client.chat(chatOf('sim-echo')));
    await clock.advance(2 * minuteMs);
    expect(await problemsOf('key')).toEqual([]);
  });
});

describe.each(storeKinds)('invoices of Today on %s', (kind) => {
  const shared = sharedOn(kind, async (store) => {
    const yaml = `
company: acme
store: ${store}
platforms:
  claude: { kind: anthropic, apiKey: k }
apps: [{ name: search, dailyBudgetUsd: "5" }]
`;
    return withApps(await openStack({ yaml, hasConsole: true, startMs }));
  });

  test('the newest day that differs is one, for roles that reconcile', async () => {
    const { stack } = shared();
    const { admin, clock } = stack;
    const binding = { app: 'search', platform: 'claude', projectId: 'wrkspc_1' };
    await clock.run(bindProject(admin, binding));
    const asker = consoleOf(stack);
    const finance = asker('finance');
    const reported = async (text: string) => {
      const base64 = Buffer.from(text).toString('base64');
      const files = [{ name: 'june.json', base64 }];
      const body = { platform: 'claude', files, reason: 'June' };
      expect((await finance('POST /reconcile/import', body)).status).toBe(200);
    };
    const problems = async (ask = finance) => {
      const { body } = await ask('GET /overview');
      return body.problems;
    };
    expect(await problems()).toEqual([]);

    await reported(costReport({ amount: '2500' }));
    const [problem] = await until(async () => {
      await clock.advance(1);
      const found = await problems();
      return found.length > 0 && found;
    });
    expect(problem).toEqual({
      kind: 'invoice',
      text: 'invoice of 2026-06-14: differs from the ledger by $25 (100%)',
      href: '/console/reconcile?month=2026-06&day=2026-06-14',
    });
    expect(await problems(asker('operator'))).toEqual([problem]);
    expect(await problems(asker('viewer'))).toEqual([]);
    expect(await problems(asker('finance', { apps: ['search'] }))).toEqual([]);
    expect((await finance('GET /health')).body.problems).toEqual([]);

    await reported(costReport({ amount: '0.00' }));
    expect(await problems()).toEqual([]);
  });
});
