import { nextUtcDayMs, nextUtcMonthMs } from '../../../src/lib/clock.ts';
import { updateApp } from '../../../src/operations/apps/apps.ts';
import { setBudget } from '../../../src/operations/budgets/budgets.ts';
import { issueKey } from '../../../src/operations/keys/keys.ts';
import { type StoreKind, sharedOn, withApps } from '../../support/shared-stack.ts';
import { openStack, type Stack } from '../../support/stack.ts';

const rates =
  'inputUsdPerMillion: "0.15", cachedInputUsdPerMillion: "0.075", cacheWriteInputUsdPerMillion: "0.1875", outputUsdPerMillion: "0.6"';

const yamlOn = (store: string) => `
company: acme
store: "${store}"
streaming: true
ingress: { openai: true, anthropic: true }
plans: { user: { ratePerSecond: 100000, burst: 100000, requestsPerDay: 10000000 } }
platforms: { sandbox: { kind: simulator } }
apps: [{ name: search, dailyBudgetUsd: "5" }]
models:
  - { id: claude, platform: sandbox, upstreamModel: sim-echo, pathFamily: anthropic-v1-messages, ${rates} }
`;

/** The whole service on a store, with the routes of both vendors. */
export function openCapped(kind: StoreKind) {
  return sharedOn(kind, async (store) => withApps(await openStack({ yaml: yamlOn(store) })));
}

interface CappedApp {
  readonly stack: Stack;
  readonly app: string;
}

/** A budget other than the app's daily budget. */
export interface Cap {
  /** Its name as the header contains it. */
  header(app: string): string;
  /** The beginning of its rejection message. */
  says(app: string): string;
  readonly span: 'day' | 'month';
  /** Sets it. Returns the key that it limits, if it is a budget of a key. */
  set(on: CappedApp, picoUsd: bigint): Promise<string | undefined>;
}

const spans = { day: 'dailyPicoUsd', month: 'monthlyPicoUsd' } as const;
const words = { day: 'daily', month: 'monthly' } as const;

function groupOf(span: Cap['span']): Cap {
  return {
    span,
    header: (app) => `group-${span}:lab-${app}`,
    says: (app) => `the ${words[span]} budget of the group lab-${app} cannot cover this call`,
    async set({ stack, app }, cap) {
      await setBudget(stack.admin, `lab-${app}`, { apps: [app], [spans[span]]: cap }, []);
      return undefined;
    },
  };
}

function keyOf(span: Cap['span']): Cap {
  return {
    span,
    header: () => `key-${span}`,
    says: () => `has a ${words[span]} budget of $`,
    async set({ stack, app }, cap) {
      const limits = { [spans[span]]: cap };
      return (await issueKey(stack.admin, { app, email: 'team@acme.example', limits })).key;
    },
  };
}

/** The daily budget of a group with this app and others. */
export const groupDay = groupOf('day');

/** Every kind of budget. */
export const caps: readonly Cap[] = [
  {
    span: 'month',
    header: () => 'app-month',
    says: () => 'has a monthly budget of $',
    async set({ stack, app }, monthlyBudgetPicoUsd) {
      await updateApp(stack.admin, app, { monthlyBudgetPicoUsd });
      return undefined;
    },
  },
  ...[groupDay, groupOf('month'), keyOf('day'), keyOf('month')],
  {
    span: 'day',
    header: () => 'user-day',
    says: () => 'has a daily budget of $',
    async set({ stack, app }, perUserDailyPicoUsd) {
      await updateApp(stack.admin, app, { perUserDailyPicoUsd });
      return undefined;
    },
  },
];

/** The time at which a budget resets. */
export function resetMs({ span }: Cap, nowMs: number): number {
  return span === 'day' ? nextUtcDayMs(nowMs) : nextUtcMonthMs(nowMs);
}

/** A route whose calls are paid. */
export interface CappedRoute {
  readonly path: string;
  /** The HTTP status of BUDGET_EXCEEDED. */
  readonly status: number;
  body(maxTokens: number): object;
}

const messages = [{ role: 'user', content: 'Hello, gateway!' }];
const own = (maxTokens: number) => ({ model: 'sim-echo', maxTokens, messages, userId: 'ada' });

/** A chat on the gateway's own API. */
export const chat: CappedRoute = { path: '/v1/chat', status: 429, body: own };

/** The quote for such a call. */
export function quoteOf(route: CappedRoute): CappedRoute {
  const body = (maxTokens: number) => ({ operation: 'chat', request: route.body(maxTokens) });
  return { path: '/v1/quote', status: 200, body };
}

/** One route of each API format, and a stream. */
export const routes: readonly CappedRoute[] = [
  chat,
  { path: '/v1/chat/stream', status: 429, body: own },
  {
    ...{ path: '/openai/v1/chat/completions', status: 402 },
    body: (max) => ({ model: 'sim-echo', max_completion_tokens: max, messages }),
  },
  {
    ...{ path: '/anthropic/v1/messages', status: 402 },
    body: (max) => ({ model: 'claude', max_tokens: max, messages }),
  },
];

/** The maximum cost of a call, in pico-USD. */
export function mostOf(route: CappedRoute, maxTokens: number): bigint {
  const bytes = Buffer.byteLength(JSON.stringify(route.body(maxTokens)));
  return BigInt(bytes + 1_024) * 187_500n + BigInt(maxTokens) * 600_000n;
}

/** Makes a call to its end, with a key of the app or with this key. */
export async function ask(
  { stack, app }: CappedApp,
  route: CappedRoute,
  maxTokens: number,
  ownKey?: string,
) {
  const key = ownKey ?? (await stack.key(app));
  const isOwn = route.path.startsWith('/v1');
  const headers: Record<string, string> = {
    'x-api-key': key,
    ...(isOwn
      ? {}
      : { authorization: `Bearer ${key}`, 'x-user-id': 'ada', 'anthropic-version': '2023-06-01' }),
  };
  const response = await stack.post(app, route.path, route.body(maxTokens), { headers });
  const text = await stack.clock.run(response.text());
  return { status: response.status, headers: response.headers, text };
}
