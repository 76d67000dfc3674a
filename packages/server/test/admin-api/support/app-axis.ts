import type { AnyRoute } from '../../../src/admin-api/routes/route.ts';
import type { OfApp, SendAs } from './app-facts.ts';

/** How a request concerns apps. */
export interface Case {
  /**
   * `one`: one app, or a part of it. `rows`: the rows of the login's apps. `all`: every app.
   * `none`: no app.
   */
  readonly apps: 'one' | 'rows' | 'all' | 'none';
  /** The value of `:id` in the path. */
  readonly id?: keyof OfApp;
  /** The query, with its question mark. */
  readonly query?: (of: OfApp) => string;
  readonly body?: (of: OfApp) => object;
}

const reason = 'as the invoice has it';
const days = { from: '2026-11-01', to: '2026-11-30' };
const one: Case = { apps: 'one' };
const rows: Case = { apps: 'rows' };
const all: Case = { apps: 'all' };
const none: Case = { apps: 'none' };
const byApp: Case = { apps: 'one', query: ({ app }) => `?app=${app}` };
const changed: Case = { apps: 'one', id: 'key', body: () => ({ reason }) };
const search = (of: keyof OfApp): Case => ({ apps: 'rows', query: (app) => `?q=${app[of]}` });

/**
 * How each route concerns apps that is open to a login limited to apps. A missing route fails the
 * test of the matrix.
 */
export const appAxis: Readonly<Record<string, readonly Case[]>> = {
  'GET /admin/openapi.json': [none],
  'POST /admin/v1/session': [none],
  'GET /admin/v1/session': [none],
  'DELETE /admin/v1/session': [none],
  'GET /admin/v1/login/oidc': [none],
  'GET /admin/v1/login/oidc/callback': [none],
  'GET /admin/v1/roles': [none],
  'GET /admin/v1/health': [none],
  'GET /admin/v1/models': [none],
  'GET /admin/v1/models/check': [none],
  'GET /admin/v1/overview': [rows],
  'GET /admin/v1/apps': [rows],
  'GET /admin/v1/apps/:app': [one],
  'GET /admin/v1/apps/:app/refusals': [one],
  'GET /admin/v1/apps/:app/holds': [one],
  // No call runs here. running.test.ts reads its rows.
  'GET /admin/v1/holds': [byApp],
  'GET /admin/v1/apps/:app/keys': [one],
  'GET /admin/v1/apps/:app/wallets/:user': [one],
  'GET /admin/v1/find': [search('app'), search('call'), search('key'), search('run')],
  'GET /admin/v1/dearest-calls': [rows, byApp],
  'GET /admin/v1/calls': [rows, byApp, { apps: 'rows', query: ({ key }) => `?key=${key}` }],
  'GET /admin/v1/call-stats': [rows, byApp],
  'GET /admin/v1/calls/:id': [{ apps: 'one', id: 'call' }],
  'GET /admin/v1/runs': [rows, byApp],
  'GET /admin/v1/spend': [rows, byApp, { apps: 'rows', query: () => '?by=user,key' }],
  'GET /admin/v1/spend.csv': [rows, byApp, { apps: 'rows', query: () => '?format=focus' }],
  // Its rows have no app name.
  'GET /admin/v1/estimates': [byApp],
  'GET /admin/v1/keys': [rows, byApp, { apps: 'rows', query: () => '?limit=500' }],
  'GET /admin/v1/key-counts': [rows, byApp],
  'GET /admin/v1/audit-log': [rows, byApp, { apps: 'rows', query: ({ key }) => `?subject=${key}` }],
  'GET /admin/v1/webhooks': [rows],
  'GET /admin/v1/budgets': [rows],
  // The stream does not end. events.test.ts reads its topics.
  'GET /admin/v1/events': [none],
  'GET /admin/v1/reports/:id': [{ apps: 'one', id: 'report' }],
  'GET /admin/v1/reports/:id/file': [{ apps: 'one', id: 'report' }],
  'DELETE /admin/v1/reports/:id': [{ apps: 'one', id: 'report' }],
  'POST /admin/v1/reports': [
    { apps: 'one', body: ({ app }) => ({ kind: 'report', ...days, by: ['app'], apps: [app] }) },
    { apps: 'one', body: ({ app }) => ({ kind: 'callsCsv', ...days, app }) },
    { apps: 'all', body: () => ({ kind: 'audit' }) },
  ],
  'POST /admin/v1/apps/:app/keys': [
    { apps: 'one', body: () => ({ email: 'eve@acme.example', reason }) },
  ],
  'POST /admin/v1/keys/:id/rotate': [changed],
  'POST /admin/v1/keys/:id/disable': [changed],
  'POST /admin/v1/keys/:id/enable': [changed],
  'POST /admin/v1/apps/:app/wallets/:user/entries': [
    { apps: 'one', body: () => ({ credits: '5', reason }) },
    { apps: 'one', body: ({ user }) => ({ credits: '-5', reason, confirm: user }) },
  ],
  'PUT /admin/v1/calls/:id/correction': [
    { apps: 'one', id: 'call', body: ({ call }) => ({ usd: '0.5', reason, confirm: call }) },
  ],
  'POST /admin/v1/days/close': [
    { apps: 'one', body: ({ app }) => ({ app, reason, confirm: app }) },
    { apps: 'one', body: ({ app }) => ({ app, usd: '0.5', reason, confirm: app }) },
    { apps: 'all', body: () => ({ app: 'all', reason, confirm: 'all' }) },
  ],
  'POST /admin/v1/days/reopen': [
    { apps: 'one', body: ({ app }) => ({ app, reason }) },
    { apps: 'all', body: () => ({ app: 'all', reason, confirm: 'all' }) },
  ],
  'POST /admin/v1/budgets/:scope/reopen': [
    { apps: 'all', body: () => ({ reason, confirm: ':scope' }) },
  ],
  'POST /admin/v1/wallets/reopen': [{ apps: 'all', body: () => ({ reason, confirm: 'all' }) }],
  'GET /admin/v1/reconcile': [all, { apps: 'all', query: ({ app }) => `?app=${app}` }],
  'POST /admin/v1/reconcile/import': [
    {
      apps: 'all',
      body: () => ({ platform: 'sandbox', files: [{ name: 'a.json', text: '{}' }], reason }),
    },
  ],
  'POST /admin/v1/reconcile/fetch': [
    { apps: 'all', body: () => ({ platform: 'sandbox', ...days, reason }) },
  ],
  'POST /admin/v1/reconcile/settle': [
    { apps: 'all', body: () => ({ day: '2026-11-01', reason, confirm: '2026-11-01' }) },
  ],
};

/** Two apps with everything that a route can show. The name of one is a prefix of the other's. */
export const axisYaml = (store: string) => `
company: acme
store: ${store}
platforms: { sandbox: { kind: simulator } }
apps:
  - { name: search, dailyBudgetUsd: "5", monthlyBudgetUsd: "90", credits: { monthlyGrant: "100", usdPerCredit: "0.01" } }
  - { name: search-team, dailyBudgetUsd: "5", monthlyBudgetUsd: "90", credits: { monthlyGrant: "100", usdPerCredit: "0.01" } }
budgets:
  - { name: both, apps: [search, search-team], monthlyUsd: "90", visible: true }
  - { name: theirs, apps: [search-team], monthlyUsd: "90", visible: true }
console: { teams: { wallets: true } }
notify:
  - { name: own-hook, url: "https://hooks.acme.example/a", format: slack, apps: [search] }
  - { name: their-hook, url: "https://hooks.acme.example/b", format: slack, apps: [search-team] }
`;

/** The response of a route about an app. */
export function answerOf(
  send: SendAs,
  { method, path }: AnyRoute,
  { id, query, body }: Case,
  { dryRun, ...of }: OfApp & { readonly dryRun?: boolean },
) {
  const at = path
    .replace(':app', of.app)
    .replace(':user', of.user)
    .replace(':id', id === undefined ? ':id' : of[id]);
  const sent = body?.(of);
  const hasDryRun = sent !== undefined && 'reason' in sent && dryRun === true;
  const whole = hasDryRun ? { ...sent, dryRun } : sent;
  return send(
    `${at}${query?.(of) ?? ''}`,
    whole === undefined ? { method } : { method, body: whole },
  );
}
