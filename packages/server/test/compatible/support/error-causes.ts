import type { AppSettings } from '../../../src/domain/app.ts';
import { updateApp } from '../../../src/operations/apps/apps.ts';
import { metered } from '../../streams/support/house.ts';
import { twentyWords } from '../../streams/support/told.ts';
import { bodyBytesMax, type ErrorHouse } from './error-house.ts';
import type { ErrorHeaders, ErrorRoute } from './error-routes.ts';

export interface ErrorCell {
  readonly house: ErrorHouse;
  readonly app: string;
  /** Its maximum cost, in pico-USD. */
  readonly most: bigint;
  /** Sends the request of the cell, and waits for its end. */
  ask(): Promise<unknown>;
}

/** A cause of an error on a route. */
export interface ErrorCause {
  readonly told: ErrorHeaders;
  /** Where it can happen. Default: on calls of models. */
  readonly on?: (route: ErrorRoute, isStream: boolean) => boolean;
  readonly settings?: Partial<AppSettings>;
  /** The sent key, if it is not the app's. */
  readonly shows?: 'none' | 'unknown' | 'off the convention' | 'of nobody';
  readonly prompt?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly path?: (route: ErrorRoute) => string;
  readonly text?: (body: object, route: ErrorRoute) => string;
  readonly prepare?: (cell: ErrorCell) => Promise<unknown>;
}

const everywhere = () => true;
const asStream = (route: ErrorRoute, isStream: boolean) => route.isCall && isStream;
const whole = (route: ErrorRoute, isStream: boolean) => route.isCall && !isStream;
const isEmbedding = ({ isCall, canStream }: ErrorRoute) => isCall && !canStream;
const final = { retry: 'false' } as const;
const again = { retry: null } as const;
const keyed = { 'idempotency-key': 'k' };
const asAda = { 'x-user-id': 'ada' };
const late = JSON.stringify({ text: twentyWords, delayMs: 30_000 });
const half = JSON.stringify({ text: twentyWords, fault: 'half' });
const plan = { ratePerSecond: 0.01, burst: 1, requestsPerDay: 1_000 };
const changing = (more: object) => (body: object) => JSON.stringify({ ...body, ...more });

/** Every cause of an error that a caller can receive. */
export const errorCauses: Readonly<Record<string, ErrorCause>> = {
  'no key': { on: everywhere, shows: 'none', told: { code: 'FORBIDDEN', ...final } },
  'a key that is not known': {
    ...{ on: everywhere, shows: 'unknown', told: { code: 'FORBIDDEN', ...final } },
  },
  'a key off the convention': {
    ...{ on: everywhere, shows: 'off the convention', told: { code: 'UNAUTHORIZED', ...final } },
  },
  'an app that is not there': {
    ...{ on: everywhere, shows: 'of nobody', told: { code: 'NO_SERVICE', ...final } },
  },
  'an app that is off': {
    ...{ on: everywhere, settings: { enabled: false }, told: { code: 'DISABLED', ...final } },
  },
  'no such path': {
    ...{ on: everywhere, path: ({ path }) => `${path}/of/nothing` },
    told: { code: 'NOT_FOUND', openAiCode: 'unknown_url', ...final },
  },
  'too many requests': {
    ...{ on: everywhere, settings: { plans: { user: plan } }, prepare: ({ ask }) => ask() },
    told: { code: 'TOO_MANY_REQUESTS', ...again, retryAfter: /^[1-9]\d*$/ },
  },
  'the last request of the day': {
    on: everywhere,
    settings: { plans: { user: { ...plan, ratePerSecond: 9, burst: 9, requestsPerDay: 1 } } },
    prepare: ({ ask }) => ask(),
    told: { code: 'LIMIT_EXCEEDED', ...final },
  },
  'a body that is too long': {
    on: ({ method }) => method === 'POST',
    text: (body) => JSON.stringify(body).padEnd(bodyBytesMax + 1),
    told: { code: 'REQUEST_TOO_LONG', ...final },
  },
  'no JSON': { text: () => '{', told: { code: 'INVALID', ...final } },
  'a limit that is none': {
    on: ({ canStream }) => canStream,
    text: (body, { limit }) => JSON.stringify({ ...body, [limit]: 0 }),
    told: { code: 'INVALID', param: ({ limit }) => limit, ...final },
  },
  'another field': {
    ...{ text: changing({ wild: 1 }), told: { code: 'INVALID', param: 'wild', ...final } },
  },
  'an idempotency key that is none': {
    ...{ headers: { 'idempotency-key': '' }, told: { code: 'INVALID', ...final } },
  },
  'another model than the app’s': {
    ...{ settings: { models: ['sim-stop'] } },
    told: { code: 'MODEL_NOT_ALLOWED', param: 'model', ...final },
  },
  'no user': {
    ...{ settings: metered, told: { code: 'USER_REQUIRED', param: 'user', ...final } },
  },
  'no price': {
    on: ({ isCall, canStream }) => isCall && canStream,
    settings: { unpriced: 'refuse' },
    text: (body) => JSON.stringify(body).replace('"told-', '"free-'),
    told: { code: 'MODEL_NOT_PRICED', param: 'model', ...final },
  },
  'a budget that is too small for it': {
    settings: { dailyBudgetPicoUsd: 1_000_000n },
    told: { code: 'BUDGET_EXCEEDED', ...final },
  },
  'a budget that is spent': {
    // The whole budget would just suffice.
    async prepare({ ask, house: { stack }, app, most }) {
      await ask();
      await updateApp(stack.admin, app, { dailyBudgetPicoUsd: most });
      await stack.clock.run(stack.service.registry.refresh());
    },
    told: { code: 'BUDGET_EXCEEDED', ...final, retryAfter: 'midnight' },
  },
  'a wallet that is empty': {
    settings: { credits: { monthlyGrantPicoUsd: 0n, picoUsdPerCredit: 10n ** 10n } },
    ...{ headers: asAda, told: { code: 'INSUFFICIENT_CREDITS', ...final } },
  },
  'a wallet that others change': {
    ...{ settings: metered, headers: asAda },
    prepare: async ({ house }) => house.lockWallets(),
    told: { code: 'WALLET_BUSY', ...again, retryAfter: '1' },
  },
  'a store that is away': {
    prepare: async ({ house }) => house.broken.fail(['reserve']),
    told: { code: 'INTERNAL', ...again, retryAfter: '1' },
  },
  'no project': {
    prepare: ({ house, app }) => house.takeProject(app),
    told: { code: 'INTERNAL', ...final },
  },
  'no streams for the app': {
    ...{ on: asStream, settings: { streaming: false } },
    told: { code: 'NOT_IMPLEMENTED', param: 'stream', ...final },
  },
  'a request that the model rejects': {
    ...{ prompt: 'status 400', told: { code: 'BAD_REQUEST', ...final } },
  },
  'credentials that the platform rejects': {
    ...{ prompt: 'status 401', told: { code: 'AUTH', param: 'model', ...final } },
  },
  'a model that is not enabled': {
    ...{ prompt: 'status 403', told: { code: 'AUTH', param: 'model', ...final } },
  },
  'a model that the platform has not': {
    ...{ prompt: 'status 404', told: { code: 'NOT_FOUND', ...final } },
  },
  'a throttle': { prompt: 'status 429', told: { code: 'THROTTLED', ...again } },
  'a throttle that says how long': {
    ...{ prompt: 'retry-after 2', told: { code: 'THROTTLED', ...again, retryAfter: '2' } },
  },
  'a platform that fails': { prompt: 'status 500', told: { code: 'SERVER', ...again } },
  'half an answer': { on: whole, prompt: half, told: { code: 'SERVER', ...final } },
  'half an answer, by a key': {
    ...{ on: whole, prompt: half, headers: keyed, told: { code: 'SERVER', ...again } },
  },
  'no use of an answer': {
    on: isEmbedding,
    text: (body) => JSON.stringify(body).replace('"told-', '"short-'),
    told: { code: 'BAD_OUTPUT', ...final },
  },
  'a model that takes too long': { prompt: late, told: { code: 'TIMEOUT', ...final } },
  'a model that takes too long, by a key': {
    ...{ prompt: late, headers: keyed, told: { code: 'TIMEOUT', ...again } },
  },
  'a model that takes too long, and is adopted': {
    settings: { adoptRetries: true },
    ...{ prompt: late, told: { code: 'TIMEOUT', ...again } },
  },
  'books that cannot be written': {
    prompt: 'status 403',
    prepare: async ({ house }) => house.broken.fail(['settle']),
    told: { code: 'GATEWAY_TIMEOUT', ...final },
  },
  'books that cannot be written, by a key': {
    ...{ prompt: 'status 403', headers: keyed },
    prepare: async ({ house }) => house.broken.fail(['settle']),
    told: { code: 'GATEWAY_TIMEOUT', ...again },
  },
  // Last: the next call probes a model whose circuit was open.
  'a circuit that is open': {
    prompt: 'status 500',
    async prepare({ ask }) {
      for (let call = 0; call < 7; call += 1) await ask();
    },
    told: {
      ...{ code: 'SERVER', ...again, retryAfter: /^[1-9]\d*$/ },
      anthropic: [529, 'overloaded_error'],
    },
  },
};
