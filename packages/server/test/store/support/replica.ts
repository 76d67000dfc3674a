import { embedded } from '@model-gateway/lab/simulator/embedded';
import { createSimulator, type Simulator } from '@model-gateway/simulator';
import { expect } from 'vitest';
import { type OpenService, openService } from '../../../src/compose/open-service.ts';
import { createOwnCounts } from '../../../src/compose/parts/process-counts.ts';
import { loadConfig } from '../../../src/config/load-config.ts';
import { createFetch } from '../../../src/ingress/http/fetch.ts';
import { type Clock, systemClock } from '../../../src/lib/clock.ts';
import { silentLog } from '../../../src/lib/log.ts';
import { issueKey } from '../../../src/operations/keys/keys.ts';
import type { Store } from '../../../src/store/port/port.ts';
import { adminOn } from './books.ts';
import { ids } from './load.ts';

/** A composed service on a store, on the machine's clock, without a socket. */
export interface Replica {
  readonly service: OpenService;
  readonly simulator: Simulator;
  /** A chat of the app `search`; `sim-echo` by default. */
  post(parts?: PostParts): Promise<Response>;
  stop(): Promise<unknown>;
}

export interface PostParts {
  readonly model?: string;
  readonly key?: string | undefined;
  readonly maxTokens?: number;
  readonly userId?: string;
  readonly apiKey?: string;
  /** Its abort disconnects the client. */
  readonly signal?: AbortSignal;
}

const plans = 'plans: { user: { ratePerSecond: 100000, burst: 100000, requestsPerDay: 10000000 } }';
const apps = '[{ name: search, dailyBudgetUsd: "5" }]';

/** Composes one replica; several of them share a simulator and a URL. */
export async function composeOn(parts: {
  readonly store: Store;
  readonly url: string;
  readonly clock?: Clock;
  readonly simulator?: Simulator;
  readonly apps?: string;
  /** More keys of the configuration; the default plans limit nobody. */
  readonly yaml?: string;
  readonly apiKey?: string;
  /** The number of a thread of a process, if threads share a store. */
  readonly thread?: number;
}): Promise<Replica & { readonly apiKey: string }> {
  const { store, url, clock = systemClock, thread } = parts;
  const config = configOf(url, parts.apps ?? apps, parts.yaml ?? plans);
  const simulator = parts.simulator ?? createSimulator({ clock: systemClock });
  const email = 'team@acme.example';
  let { apiKey = '' } = parts;
  const service = await openService(config, {
    ...{
      store,
      clock,
      ids,
      simulator: embedded(simulator),
      threads: thread === undefined ? undefined : { thread, counts: createOwnCounts() },
      log: silentLog,
      actor: 'test',
      version: '0.0.0-test',
    },
    onDeath: (error) => expect.unreachable(error.message),
    async prepare() {
      if (apiKey === '') apiKey = (await issueKey(adminOn(store), { app: 'search', email })).key;
    },
  });
  const fetch = createFetch(service.ingress);
  return { service, simulator, apiKey, post, stop: () => service.stop() };

  function post(request: PostParts = {}): Promise<Response> {
    const { key } = request;
    return fetch('http://gateway.test/v1/chat', {
      method: 'POST',
      headers: {
        'x-api-key': request.apiKey ?? apiKey,
        'content-type': 'application/json',
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      },
      body: bodyOf(request),
      ...(request.signal === undefined ? {} : { signal: request.signal }),
    });
  }
}

/** The body of a request, byte for byte. */
export function bodyOf({ model = 'sim-echo', maxTokens = 50, userId }: PostParts): string {
  const messages = [{ role: 'user', content: 'Hello' }];
  return JSON.stringify({ model, maxTokens, userId, messages });
}

function configOf(url: string, declared: string, more: string) {
  const yaml = `
company: acme
store: "${url}"
platforms: { sandbox: { kind: simulator } }
${more}
apps: ${declared}
`;
  const loaded = loadConfig({ file: '/gateway.yaml', environment: {}, readFile: () => yaml });
  if ('problems' in loaded) throw new Error(loaded.problems.join('\n'));
  return loaded.config;
}
