import { Value } from 'typebox/value';
import { describe, expect, test } from 'vitest';
import { checkFits } from '../../src/admin-api/http/validate.ts';
import type { Answer, RouteContext } from '../../src/admin-api/routes/route.ts';
import { appsOfRequest, checkAddress } from '../../src/admin-api/routes/route-apps.ts';
import { loadRoutes } from '../../src/admin-api/routes.ts';
import type { Role } from '../../src/domain/role.ts';
import { createRouter } from '../../src/lib/router.ts';
import { listLines } from '../../src/operations/audit-log/audit-log.ts';
import { findCalls } from '../../src/operations/calls/find-calls.ts';
import { consoleErrorOf } from '../../src/operations/context/console-error.ts';
import { rightsOf, type Session } from '../../src/operations/context/session.ts';
import { noParts } from '../support/console.ts';
import { consolePartsOf } from '../support/console-parts.ts';
import { meetChat, prompted } from '../support/exchange.ts';
import { sharedOn, storeKinds, withApps } from '../support/shared-stack.ts';
import { openStack } from '../support/stack.ts';

const routes = await loadRoutes();

const findRoute = createRouter(routes);

/** Words of a prompt, which no response of the console may contain. */
const secret = 'the words of a prompt';

describe.each(storeKinds)('data of the console on %s', (kind) => {
  const shared = sharedOn(kind, async (store) => {
    const yaml = `
company: acme
store: ${store}
platforms: { sandbox: { kind: simulator } }
apps:
  - { name: search, dailyBudgetUsd: "5" }
  - { name: tutor, credits: { monthlyGrant: "1000", usdPerCredit: "0.01" } }
budgets:
  - { name: lab, apps: [search, tutor], monthlyUsd: "90" }
`;
    const stack = await openStack({ yaml, hasConsole: true });
    for (const words of [secret, `${secret} again`]) {
      await meetChat(stack, 'search', 'sim-echo', prompted(words));
      await meetChat(stack, 'tutor', 'sim-echo', { ...prompted(words), userId: 'ada.l' });
    }
    return { ...withApps(stack), parts: consolePartsOf(stack) };
  });

  async function ask(url: string, who: Session = as('operator'), body?: unknown): Promise<Answer> {
    const { stack, parts } = shared();
    const { pathname, searchParams } = new URL(url, 'http://console/admin/v1/');
    const found = findRoute(body === undefined ? 'GET' : 'POST', pathname) ?? expect.fail(url);
    const { route } = found;
    const names = route.path.split('/').flatMap((part) => /^:(.*)$/.exec(part)?.[1] ?? []);
    const texts = Object.fromEntries(searchParams);
    const query = route.readQuery?.(texts, shared().stack.clock.now()) ?? texts;
    if (route.query !== undefined) checkFits(route.query, query);
    const values = names.map((name, at) => [name, found.parameters[at] ?? '']);
    const address = { query, parameters: Object.fromEntries(values) };
    const { admin } = stack;
    await stack.clock.run(checkAddress({ admin, session: who }, route.apps, address));
    const asked: RouteContext = {
      ...parts,
      ...{ ...address, admin, session: who, body, ifMatch: undefined },
      apps: appsOfRequest(who, route.apps, { ...address, body }),
      hasSameAccess: async () => true,
      request: {
        ...{
          method: 'GET',
          url,
          headers: {},
          address: '::1',
          chunks: noParts,
          disconnected: new AbortController().signal,
        },
        body: () => expect.fail('it is not read'),
      },
    };
    const answer = await stack.clock.run(route.handle(asked));
    expect(JSON.stringify(answer)).not.toContain(secret);
    if ('body' in answer) {
      const text: unknown = JSON.parse(JSON.stringify(answer.body));
      expect(Value.Errors(route.answer, text).slice(0, 3)).toEqual([]);
      return { ...answer, body: Object(text) };
    }
    return answer;
  }

  async function bodyOf(url: string, who?: Session): Promise<Record<string, unknown>> {
    const answer = await ask(url, who);
    return Object('body' in answer ? answer.body : expect.fail(url));
  }

  async function itemsOf(url: string, who?: Session): Promise<readonly Record<string, unknown>[]> {
    const { items } = await bodyOf(url, who);
    return Array.isArray(items) ? items : expect.fail(url);
  }

  async function codeOf(asked: Promise<unknown>): Promise<unknown> {
    const error: unknown = await asked.then(
      () => undefined,
      (caught: unknown) => caught,
    );
    return consoleErrorOf(error)?.code ?? error;
  }

  const everything = [
    ...['overview', 'apps', 'apps/search', 'apps/search/refusals?hours=2', 'find?q=sear', 'health'],
    ...[
      'calls',
      'dearest-calls',
      'call-stats?failed=true&platform=sandbox',
      'call-stats',
      'apps/search/holds',
      'holds',
      'runs',
      'spend',
      'spend?by=user&compare=true',
      'spend?by=day',
    ],
    ...['spend?model=sim-echo&by=model,app', 'keys', 'apps/search/keys', 'models', 'models/check'],
    ...['keys?limit=2', 'keys?find=team&sort=-used', 'apps/search/keys?limit=1', 'key-counts'],
    ...['apps/tutor/wallets/ada.l', 'audit-log', 'webhooks', 'budgets', 'audit-log?app=search'],
  ];
  test.each(everything)('%s matches its description', async (url) => {
    expect(await ask(url)).toHaveProperty('body');
  });

  test('the example of the first call uses the listener’s address, also of port 0', async () => {
    const { clock, service } = shared().stack;
    service.live.setUrl('http://0.0.0.0:40123');
    // The previous document is cached for 1 s.
    await clock.advance(1_000);
    const { firstCall } = await bodyOf('overview');
    expect(firstCall).toContain('curl -s http://127.0.0.1:40123/v1/chat ');
    expect(firstCall).toContain('"model":"sim-echo","maxTokens":100,');
  });

  test('keys are paged only with an option', async () => {
    const whole = await bodyOf('keys');
    expect(Object.keys(whole)).toEqual(['items', 'after']);
    expect(JSON.stringify(whole)).not.toContain('"state"');
    const count = Object(whole.items).length;
    expect(await bodyOf('keys?limit=1')).toMatchObject({ count, items: [{ state: 'active' }] });
    for (const query of ['limit=0', 'limit=501', 'limit=x', 'sort=name', 'used=ever', 'after=none'])
      expect([query, await codeOf(ask(`keys?${query}`))]).toEqual([query, 'INVALID']);
  });

  test('a team sees only its own apps', async () => {
    const team = as('team', ['search']);
    for (const url of everything.filter((one) => !one.includes('tutor'))) {
      const text = JSON.stringify(await ask(url, team));
      expect(text).not.toContain('tutor');
      expect(text).not.toContain('ada.l');
    }
    const { calls } = await shared().stack.clock.run(findCalls(shared().stack.admin, all));
    const other = calls.find(({ app }) => app === 'tutor')?.id ?? '';
    for (const url of [
      ...['apps/tutor', 'apps/none', 'apps/tutor/holds', 'apps/tutor/keys', 'calls?app=tutor'],
      'dearest-calls?app=tutor',
      ...['call-stats?app=tutor', 'keys?app=tutor&limit=1', 'key-counts?app=tutor'],
      ...['apps/tutor/wallets/ada.l', 'spend?app=tutor', `calls/${other}`, 'runs?app=tutor'],
    ]) {
      expect([url, await codeOf(ask(url, team))]).toEqual([url, 'NOT_FOUND']);
    }
    const usage = Object((await bodyOf('apps/search', team)).usage);
    expect(usage.scopes).toEqual([expect.not.objectContaining({ capUsd: '90' })]);
    const own = Object((await bodyOf('apps/search')).usage);
    expect(own.scopes).toMatchObject([{ capUsd: '90' }]);
    expect(await itemsOf('budgets', team)).toEqual([]);
  });

  test('a viewer sees no user', async () => {
    const viewer = as('viewer');
    const urls = [
      'calls',
      'dearest-calls',
      'spend?by=user',
      'audit-log',
      'runs',
      'find?q=ada.l',
      'apps/tutor',
    ];
    for (const url of urls) expect(JSON.stringify(await ask(url, viewer))).not.toContain('"ada.l"');
    const [call] = await itemsOf('calls?app=tutor', viewer);
    expect(call?.userId).toMatch(/^(u_|\*)/);
    expect(JSON.stringify(await ask(`calls/${String(call?.id)}`, viewer))).not.toContain('ada.l');
    expect(await codeOf(ask('calls?user=ada.l', viewer))).toBe('FORBIDDEN');
    expect(await codeOf(ask('dearest-calls?user=ada.l', viewer))).toBe('FORBIDDEN');
    expect(await codeOf(ask('call-stats?user=ada.l', viewer))).toBe('FORBIDDEN');
    const csv = await ask('spend.csv?by=user', viewer);
    expect('csv' in csv && csv.csv).not.toContain('ada.l');
  });

  test('calls come in pages, each call once', async () => {
    const seen: unknown[] = [];
    for (let after: unknown = ''; after !== null; ) {
      const page = await bodyOf(`calls?limit=3${after === '' ? '' : `&after=${String(after)}`}`);
      seen.push(...(Array.isArray(page.items) ? page.items : []).map(({ id }) => id));
      after = page.after;
    }
    const { calls } = await shared().stack.clock.run(findCalls(shared().stack.admin, all));
    expect(seen).toEqual(calls.map(({ id }) => id));
  });

  test('the audit log comes in pages, each line once', async () => {
    const { stack } = shared();
    const search = { subject: undefined, actor: undefined, since: undefined, limit: 1_000 };
    const lines = await stack.clock.run(listLines(stack.admin, search));
    const seen: unknown[] = [];
    for (let after: unknown = ''; after !== null; ) {
      const more = after === '' ? '' : `&after=${String(after)}`;
      const page = await bodyOf(`audit-log?limit=2${more}`);
      seen.push(...(Array.isArray(page.items) ? page.items : []));
      after = page.after;
    }
    expect(seen).toEqual(lines);
    const { action = '' } = lines[0] ?? {};
    const found = await itemsOf(`audit-log?action=${action}`);
    expect(found.every((line) => line.action === action)).toBe(true);
  });

  test.each([
    ...['calls?limit=201', 'calls?since=2026-13-01', 'calls?minUsd=much', 'spend?month=2026-13'],
    ...['spend?from=2026-11-02&to=2026-11-01', 'spend?from=2024-01-01&to=2026-01-01'],
    ...['spend?by=nothing', 'spend?by=app,app', 'apps/search/refusals?hours=999'],
  ])('%s is INVALID', async (url) => {
    expect(await codeOf(ask(url))).toBe('INVALID');
  });

  test('a file equals the report of the command line', async () => {
    const plain = await ask('spend.csv?by=app,model');
    expect('csv' in plain && String(plain.csv).split('\r\n')[1]).toMatch(/^search,sim-echo,2,0,/);
    const focus = await ask('spend.csv?format=focus');
    expect('csv' in focus && focus.csv).toContain('BilledCost');
  });

  test('a slow report is created in the background for its reader', async () => {
    const body = { kind: 'callsCsv', from: '2026-11-01', to: '2026-11-30' } as const;
    const viewer = as('viewer');
    const begun = await ask('reports', viewer, body);
    const id = String(Object('body' in begun ? begun.body : {}).id);
    await shared().stack.clock.advance(1_000);
    expect(await bodyOf(`reports/${id}`, viewer)).toMatchObject({ state: 'done', percent: 100 });
    const file = await ask(`reports/${id}/file`, viewer);
    const text = 'csv' in file ? String(file.csv) : '';
    expect(text.trim().split('\n')).toHaveLength(5);
    expect(text).not.toContain('ada.l');
    expect(text.split('\r')[0]).toMatch(/basis,inputTokens,.*,tookMs,firstMs,attempts$/);
    expect(text.split('\r\n')[1]).toMatch(/,exact,\d+,0,0,\d+,0,\d+,,1$/);
    expect(await codeOf(ask(`reports/${id}`, as('operator')))).toBe('NOT_FOUND');
    const kinds = [
      { kind: 'audit' },
      { kind: 'report', from: '2026-11-01', to: '2026-11-30', by: ['user'] },
      { kind: 'report', from: '2026-11-01', to: '2026-11-30', by: ['app'], format: 'focus' },
    ];
    for (const asked of kinds) {
      const job = await ask('reports', as('operator'), asked);
      const of = String(Object('body' in job ? job.body : {}).id);
      await shared().stack.clock.advance(1_000);
      expect(await bodyOf(`reports/${of}`)).toMatchObject({ state: 'done', error: null });
    }
    const team = as('team', ['search']);
    expect(await codeOf(ask('reports', team, { kind: 'audit' }))).toBe('FORBIDDEN');
    for (const wrong of [
      { kind: 'audit', by: ['app'] },
      { ...body, by: ['app'] },
    ])
      expect(await codeOf(ask('reports', as('operator'), wrong))).toBe('INVALID');
  });

  test('users of a model and of days are the same in a job and in a page', async () => {
    const days = { from: '2026-11-02', to: '2026-11-29', model: 'sim-echo' } as const;
    const job = await ask('reports', as('finance'), { kind: 'report', ...days, by: ['user'] });
    const id = String(Object('body' in job ? job.body : {}).id);
    await shared().stack.clock.advance(1_000);
    const { result } = Object(await bodyOf(`reports/${id}`, as('finance')));
    const page = Object(await bodyOf(`spend?by=user&${new URLSearchParams(days)}`, as('finance')));
    expect(result.rows.length).toBeGreaterThan(1);
    expect(result).toMatchObject({ rows: page.rows, total: page.total, found: page.found });
  });
});

const all = {
  ...{ app: undefined, userId: undefined, keyId: undefined, model: undefined, code: undefined },
  ...{ since: undefined, until: undefined, minPicoUsd: undefined, isEstimated: false },
  ...{ after: undefined, limit: 100 },
};

function as(role: Role, apps?: readonly string[]): Session {
  const may = rightsOf(role, { teamWallets: false });
  return {
    name: role,
    role,
    apps,
    via: 'session',
    id: 'one',
    expiresAt: undefined,
    permissions: may,
  };
}
