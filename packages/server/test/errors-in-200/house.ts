import type { Outcome, RawReply } from '@model-gateway/simulator';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import type { CallRecord } from '../../src/books/rows.ts';
import { utcDayOf } from '../../src/lib/clock.ts';
import { expectClean, heldBy, readAttempts, readCalls } from '../support/books.ts';
import { openStack, type Stack } from '../support/stack.ts';

const prices = `inputUsdPerMillion: "5", cachedInputUsdPerMillion: "0.5", cacheWriteInputUsdPerMillion: "6.25", outputUsdPerMillion: "25"`;

function rowOf(id: string, upstream: string, family: string): string {
  return `  - { id: ${id}, platform: sandbox, upstreamModel: ${upstream}, pathFamily: ${family}, ${prices} }`;
}

export const yaml = `
company: acme
store: sqlite:./gateway.db
streaming: true
ingress: { openai: true, anthropic: true }
platforms:
  sandbox: { kind: simulator }
plans: { user: { ratePerSecond: 100000, burst: 100000, requestsPerDay: 10000000 } }
apps: [{ name: search, dailyBudgetUsd: "1000" }]
models:
${rowOf('chat', 'sim-told', 'v1-chat')}
${rowOf('chat-2', 'sim-echo', 'v1-chat')}
${rowOf('gpt', 'sim-told', 'v1-responses')}
${rowOf('gpt-2', 'sim-echo', 'v1-responses')}
${rowOf('claude', 'sim-told', 'anthropic-v1-messages')}
${rowOf('claude-2', 'sim-echo', 'anthropic-v1-messages')}
  - { id: vectors, kind: embeddings, platform: sandbox, upstreamModel: sim-embed, inputUsdPerMillion: "5" }
  - { id: chats, route: [chat, chat-2] }
  - { id: gpts, route: [gpt, gpt-2] }
  - { id: claudes, route: [claude, claude-2] }
  - { id: chats-of-accounts, route: [chat, chat-2], fallbackOn: [account] }
  - { id: gpts-of-accounts, route: [gpt, gpt-2], fallbackOn: [account] }
  - { id: claudes-of-accounts, route: [claude, claude-2], fallbackOn: [account] }
`;

const messages = [{ role: 'user', content: 'Say hello.' }] as const;

/** A route with a model of its wire format, and the body field that requests the response. */
export interface Route {
  readonly path: string;
  readonly wire: Wire;
  readonly isStream: boolean;
  readonly body: (model: string) => object;
}

export type Wire = 'chat' | 'gpt' | 'claude' | 'vectors';

function routeOf(path: string, wire: Wire, isStream: boolean, more: object): Route {
  return { path, wire, isStream, body: (model) => ({ model, ...more }) };
}

const native = { maxTokens: 32_000, messages };
const whole = { max_tokens: 32_000, messages };
const responses = { max_output_tokens: 32_000, input: 'Say hello.' };
const stream = { stream: true };

/** Every way to call a model. */
export const routes: readonly Route[] = [
  ...(['chat', 'gpt', 'claude'] as const).flatMap((wire) => [
    routeOf('/v1/chat', wire, false, native),
    routeOf('/v1/chat/stream', wire, true, native),
    routeOf('/openai/v1/chat/completions', wire, false, whole),
    routeOf('/openai/v1/chat/completions', wire, true, { ...whole, ...stream }),
  ]),
  routeOf('/openai/v1/responses', 'gpt', false, responses),
  routeOf('/openai/v1/responses', 'gpt', true, { ...responses, ...stream }),
  routeOf('/anthropic/v1/messages', 'claude', false, whole),
  routeOf('/anthropic/v1/messages', 'claude', true, { ...whole, ...stream }),
  routeOf('/v1/embeddings', 'vectors', false, { input: ['hello'] }),
];

/** The name of a route in a table. */
export function nameOf({ path, wire, isStream }: Route): string {
  return `${path} on ${wire}${isStream ? ', streamed' : ''}`;
}

/** A reply with 200 and a JSON body. */
export function said(body: unknown): RawReply {
  return jsonOf(200, body);
}

/** A reply with a status and a JSON body. */
export function jsonOf(status: number, body: unknown, more: object = {}): RawReply {
  const headers = { 'content-type': 'application/json', ...more };
  return { kind: 'raw', status, headers, body: JSON.stringify(body) };
}

/** A stream of events. The type in its data is the name of each. */
export function streamOf(...events: readonly unknown[]): RawReply {
  const text = events.map((event) => {
    const type = typeof event === 'object' && event !== null && 'type' in event ? event.type : '';
    const name = type === '' ? '' : `event: ${type}\n`;
    return `${name}data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`;
  });
  const headers = { 'content-type': 'text/event-stream' };
  return { kind: 'raw', status: 200, headers, body: text.join('') };
}

/** The response of a route's platform that rejects within a 200. */
export function refusalOf({ wire, isStream }: Route, error: object): RawReply {
  if (wire === 'claude') {
    const body = { type: 'error', error };
    return isStream ? streamOf(body) : said(body);
  }
  if (wire === 'gpt') {
    const failed = { id: 'resp_1', object: 'response', status: 'failed', output: [], usage: null };
    if (!isStream) return said({ ...failed, error });
    const response = { ...failed, status: 'in_progress', error: null };
    return streamOf(
      { type: 'response.created', response },
      { type: 'response.failed', response: { ...failed, error } },
    );
  }
  return isStream ? streamOf({ error }) : said({ error });
}

export interface Told {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly record: CallRecord | undefined;
  readonly attempts: readonly Attempted[];
}

/** An attempt as the record has it. */
export interface Attempted {
  readonly outcome: string;
  readonly status: number | null;
  readonly model: string;
  readonly costUsd: string;
  readonly estimated: boolean;
  readonly estimateReason: string | null;
}

/** A service whose platform follows the test, in virtual time. */
export interface House {
  readonly stack: () => Stack;
  /** Calls a route with these outcomes in order, by default for its own model. */
  ask(route: Route, outcomes: readonly (Outcome | undefined)[], model?: string): Promise<Told>;
}

/** Opens it before the tests of a file. */
export function openHouse(): House {
  let stack: Stack | undefined;
  let coming: readonly (Outcome | undefined)[] = [];
  beforeAll(async () => {
    stack = await openStack({
      yaml,
      script() {
        const [next, ...rest] = coming;
        coming = rest;
        return next;
      },
    });
  });
  afterAll(() => stack?.close());
  // The circuits of earlier tests are closed, and no retries are spent.
  beforeEach(() => opened().clock.advance(11_000));
  return { stack: opened, ask };

  function opened(): Stack {
    if (stack === undefined) throw new Error('it is opened before the tests');
    return stack;
  }

  async function ask(
    { path, wire, body }: Route,
    outcomes: readonly (Outcome | undefined)[],
    model: string = wire,
  ): Promise<Told> {
    const { clock, post, store, simulator } = opened();
    coming = outcomes;
    const key = await opened().key('search');
    const headers = { authorization: `Bearer ${key}`, 'anthropic-version': '2023-06-01' };
    const response = await post('search', path, body(model), { headers });
    const text = await clock.run(response.text());
    await clock.settle();
    expect(await heldBy(store, 'search')).toBe(0);
    await expectClean({ store, clock, simulator });
    const records = await readCalls(store, 'search', utcDayOf(clock.now()));
    const record = records.at(-1);
    const attempts = (await readAttempts(store, record)).map((attempt) => {
      const { outcome, status, model: asked, costUsd, estimated, estimateReason } = attempt;
      return { outcome, status, model: asked, costUsd, estimated, estimateReason };
    });
    return { status: response.status, headers: response.headers, text, record, attempts };
  }
}

/** The parts of a response that do not identify its request. */
export function unnamed({ status, headers, text }: Told) {
  const named = /"(requestId|request_id|id)":("[^"]*"|null),?/g;
  const names = ['x-cost-usd', 'x-should-retry', 'x-error-code', 'retry-after', 'content-type'];
  const kept = Object.fromEntries(names.map((name) => [name, headers.get(name)]));
  return { status, kept, text: text.replace(named, '') };
}
