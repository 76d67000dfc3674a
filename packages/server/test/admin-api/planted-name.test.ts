import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadRoutes } from '../../src/admin-api/routes.ts';
import { makeRun } from '../runs/run-stack.ts';
import { openConsole } from '../support/console.ts';
import { meetChat } from '../support/exchange.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { openStack, type Stack } from '../support/stack.ts';

const routes = await loadRoutes();

/** A user name that must not appear anywhere for a person without the right to see it. */
const planted = 'planted-user-7f3a';
const yamlOn = (store: string) => `
company: acme
store: "${store}"
platforms: { sandbox: { kind: simulator } }
apps:
  - { name: search, dailyBudgetUsd: "5" }
  - { name: tutor, dailyBudgetUsd: "5", credits: { monthlyGrant: "100", usdPerCredit: "0.01" } }
`;
/** The endless stream, the redirect of a browser, and the routes that have their own test. */
const apart = ['/events', '/login/oidc', '/wallets/'];
const reading = routes.filter(
  ({ method, path }) => method === 'GET' && !apart.some((part) => path.includes(part)),
);

describe.each(['sqlite', 'postgres'])('the name of a user on %s', (kind) => {
  let postgres: TestPostgres | undefined;
  let stack: Stack;
  let callId = '';
  let requestId = '';
  let job = '';
  beforeAll(async () => {
    if (kind === 'postgres') postgres = await startPostgres();
    const store = (await postgres?.database()) ?? 'sqlite:./gateway.db';
    stack = await openStack({ yaml: yamlOn(store), hasConsole: true });
    await meetChat(stack, 'search', 'sim-echo', { userId: planted });
    const { headers } = await meetChat(stack, 'tutor', 'sim-echo', { userId: planted });
    callId = headers.get('x-call-id') ?? '';
    requestId = headers.get('x-request-id') ?? '';
    await makeRun(stack, 'tutor', { userId: planted });
    const { ask } = await openConsole(stack, { role: 'operator' });
    const entry = { credits: '5', reference: `gift-${planted}`, reason: `for ${planted}` };
    const topUp = `/admin/v1/apps/tutor/wallets/${planted}/entries`;
    expect((await ask(topUp, { method: 'POST', body: entry })).status).toBe(200);
    const correction = { usd: '0.001', reason: `${planted} was told so` };
    const path = `/admin/v1/calls/${callId}/correction`;
    expect((await ask(path, { method: 'PUT', body: correction })).status).toBe(200);
  });
  afterAll(async () => {
    await stack?.close();
    await postgres?.close();
  });

  function pathOf(path: string): readonly string[] {
    const plain = path
      .replace(':app', 'tutor')
      .replace('/calls/:id', `/calls/${callId}`)
      .replace('/reports/:id', `/reports/${job}`);
    const more: Readonly<Record<string, readonly string[]>> = {
      '/admin/v1/find': [`${plain}?q=${callId}`, `${plain}?q=${requestId}`, `${plain}?q=planted`],
      '/admin/v1/spend': [plain, `${plain}?by=user`, `${plain}?by=user&compare=true`],
      '/admin/v1/spend.csv': [plain, `${plain}?by=user`, `${plain}?format=focus`],
    };
    return more[path] ?? [plain];
  }

  async function told(ask: Awaited<ReturnType<typeof openConsole>>['ask']) {
    const texts = new Map<string, string>();
    for (const { path } of reading) {
      for (const url of pathOf(path)) {
        const { status, text, headers } = await ask(url);
        expect([url, status < 500]).toEqual([url, true]);
        texts.set(url, `${JSON.stringify(headers)} ${text}`);
      }
    }
    return texts;
  }

  async function begun(ask: Awaited<ReturnType<typeof openConsole>>['ask'], body: object) {
    const asked = await ask('/admin/v1/reports', { method: 'POST', body });
    expect([body, asked.status]).toEqual([body, 202]);
    job = asked.body.id;
    for (;;) {
      const { body: state } = await ask(`/admin/v1/reports/${job}`);
      if (state.state === 'done') return;
      expect(['waiting', 'running']).toContain(state.state);
    }
  }

  const day = () => new Date(stack.clock.now()).toISOString().slice(0, 10);
  const jobs = () => {
    const days = { from: day(), to: day() };
    return [
      { kind: 'callsCsv', ...days },
      { kind: 'report', ...days, by: ['user', 'model'] },
      { kind: 'report', ...days, by: ['user', 'day'], format: 'csv' },
    ];
  };

  test('is in no response to a viewer', async () => {
    const { ask } = await openConsole(stack, { role: 'viewer' });
    for (const body of jobs()) {
      await begun(ask, body);
      for (const [url, text] of await told(ask)) {
        expect([url, text.includes(planted)]).toEqual([url, false]);
      }
    }
  });

  test('is in no response to the team of an app that it does not use', async () => {
    const { ask } = await openConsole(stack, { role: 'team', apps: ['search'] });
    for (const [url, text] of await told(ask)) {
      // The team's own app has such a user, who might be another person.
      const own = /\/(calls|dearest-calls|spend)(\.csv)?(\?|$)/.test(url);
      if (!own) expect([url, text.includes(planted)]).toEqual([url, false]);
      if (!url.includes(callId)) expect([url, text.includes(callId)]).toEqual([url, false]);
    }
  });

  test('is in responses to those with the right to see it, so the search works', async () => {
    const { ask } = await openConsole(stack, { role: 'operator' });
    const texts = await told(ask);
    const found = [...texts].filter(([, text]) => text.includes(planted)).map(([url]) => url);
    expect(found).toEqual(
      expect.arrayContaining(['/admin/v1/calls', `/admin/v1/calls/${callId}`, '/admin/v1/runs']),
    );
    expect(found).toContain('/admin/v1/audit-log');
  });
});
