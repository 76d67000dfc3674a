import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CallRecord } from '../../src/books/rows.ts';
import { utcDayOf } from '../../src/lib/clock.ts';
import { parseJson } from '../../src/lib/json-value.ts';
import {
  type SpokenPlatform,
  startSpokenPlatform,
  yamlOfWires,
} from '../../test/calls/support/spoken-platform.ts';
import { type Wire, wires } from '../../test/calls/support/wires.ts';
import { expectClean, heldBy, readCalls } from '../../test/support/books.ts';
import { noonClock } from '../../test/support/noon-clock.ts';
import { startServer, type TestServer } from '../../test/support/server.ts';
import { otherStatements } from './support/other-lines.ts';
import { brokenStatements } from './support/usage-lines.ts';
import { type Broken, type Response, ways } from './support/ways.ts';

// Each row of the tables of statements, broken in ten ways: on each route, complete and streamed,
// in turn. The caller gets one final response, and an uncertain cost is never booked as exact.

/** A route, and the API format of its platform. */
interface Route {
  readonly path: string;
  readonly wire: Wire;
  readonly statuses: ReadonlySet<number>;
  /** The lines of which a stream has exactly one, in its last event. */
  readonly ends: RegExp;
}

/** The rows of docs/errors.md for models, and of docs/compatible.md. */
const statuses = {
  gateway: new Set([200, 400, 403, 404, 422, 429, 502, 504]),
  openai: new Set([200, 400, 403, 404, 429, 503, 504]),
  anthropic: new Set([200, 400, 403, 404, 429, 500, 504, 529]),
};

const routes: readonly Route[] = [
  {
    ...{ path: '/v1/chat', wire: wireOf('chat'), statuses: statuses.gateway },
    ends: /^event: (?:finish|error)$/gm,
  },
  {
    ...{ path: '/openai/v1/chat/completions', wire: wireOf('chat') },
    statuses: statuses.openai,
    ends: /^data: (?:\[DONE\]|\{"error")/gm,
  },
  {
    ...{ path: '/openai/v1/responses', wire: wireOf('responses') },
    statuses: statuses.openai,
    ends: /^data: \{"type":"(?:response\.(?:completed|incomplete|failed|done)|error)"/gm,
  },
  {
    ...{ path: '/anthropic/v1/messages', wire: wireOf('messages') },
    statuses: statuses.anthropic,
    ends: /^data: \{"type":"(?:message_stop|error)"/gm,
  },
];
const forms = routes.flatMap((route) => [false, true].map((isStream) => ({ route, isStream })));

type Form = (typeof forms)[number];

function wireOf(name: string): Wire {
  const wire = wires[name];
  if (wire === undefined) throw new Error(name);
  return wire;
}

let platform: SpokenPlatform;
let server: TestServer;
let key: string;
/** The platform's next response. */
let reply: Response;
let elapsedMs = 0;

const price =
  'inputUsdPerMillion: "1", cachedInputUsdPerMillion: "0.5", cacheWriteInputUsdPerMillion: "1.25", outputUsdPerMillion: "10", contextTokens: 20000, maxOutputTokens: 1000';

beforeAll(async () => {
  platform = await startSpokenPlatform(() => reply);
  const store = 'sqlite:./gateway.db';
  const models = yamlOfWires({ baseUrl: platform.baseUrl, store, price, attempts: 1 });
  const yaml = `${models}
apps:
  - { name: search, dailyBudgetUsd: "100000", projects: { oa: proj_search1, an: wrkspc_search1 } }
`;
  // A second passes with each call, so no model fails often enough to open its circuit.
  const monotonic = () => noonClock.monotonic() + elapsedMs;
  server = await startServer({ yaml, clock: { ...noonClock, monotonic } });
  key = await server.key('search');
});
afterAll(async () => {
  await server.close();
  platform.close();
});

interface Asked {
  readonly what: string;
  readonly broken: Broken;
  readonly route: Route;
  readonly isStream: boolean;
  readonly status: number;
  readonly text: string;
  readonly isEvents: boolean;
  readonly callId: string;
  /** The reason of a rejection, if the words of an error contain it. */
  readonly reason: string | null;
}

async function ask(broken: Broken, { route, isStream }: Form): Promise<Asked> {
  const { path, wire } = route;
  reply = broken.on(wire);
  elapsedMs += 1_000;
  const isNative = path.startsWith('/v1/');
  const messages = [{ role: 'user', content: 'x'.repeat(1_500) }];
  const own = wire.model === 'responses' ? {} : { messages };
  const body = isNative
    ? { model: wire.model, messages, maxTokens: 100 }
    : { model: wire.model, ...own, ...wire.relay.body, stream: isStream };
  const response = await fetch(`${server.url}${path}${isNative && isStream ? '/stream' : ''}`, {
    method: 'POST',
    headers: {
      ...{ 'content-type': 'application/json', 'anthropic-version': '2023-06-01' },
      ...(isNative ? { 'x-api-key': key } : { authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify(body),
  });
  const { status, headers } = response;
  return {
    ...{ broken, route, isStream, status, text: await response.text() },
    what: `${broken.name}, ${broken.way}: ${path} ${isStream ? 'streamed' : 'whole'}`,
    isEvents: headers.get('content-type')?.startsWith('text/event-stream') === true,
    callId: headers.get('x-call-id') ?? '',
    reason: headers.get('x-error-reason'),
  };
}

/** 1,000 and 10 tokens, of which all of the input may be cached; and twice the whole context. */
const [least, most] = [1_000n * 500_000n + 10n * 10_000_000n, 20_000n * 11_250_000n];

/** The defect of the caller's response. */
function problemOf({ status, text, isEvents, route }: Asked): string | undefined {
  if (!route.statuses.has(status)) return `has the status ${status}`;
  if (isEvents) {
    const ends = text.match(route.ends)?.length ?? 0;
    return ends === 1 ? undefined : `has ${ends} ends`;
  }
  return parseJson(text) === undefined ? 'is no JSON' : undefined;
}

/** The defect of the call's booking. */
function bookedWrong({ broken, route, isStream, reason }: Asked, call: CallRecord | undefined) {
  const { basis, cost = 0n, code } = call ?? {};
  if (code === undefined || code === 'INTERNAL') return `is ${code}`;
  if (cost > most) return `costs ${cost}`;
  // The words of a rejection cost nothing wherever they are, except with a filter of the output.
  const isRejected = basis === 'free' && reason !== null && reason !== 'content_policy';
  const isDoubtful = broken.isDoubtful(route.wire, isStream) && !isRejected;
  if (isDoubtful && basis !== 'estimated') return `is ${basis}`;
  return (isDoubtful || basis === 'exact') && cost < least ? `costs only ${cost}` : undefined;
}

function formsOf(at: number, count: number): readonly Form[] {
  const first = at + Math.floor(at / ways.length);
  return forms.filter((_, index) => [0, 3].slice(0, count).includes((index - (first % 8) + 8) % 8));
}

/** Errors in the log that are not the gateway's; `answered` has the status 500. */
const known =
  /^answered$|^platform reported impossible token counts|^call cost exceeded its reservation/;

test('a broken line has one response, and is never exact where it may matter', async () => {
  const asked: Asked[] = [];
  // Each line is on every route in both forms, over its ways.
  for (const [at, broken] of brokenStatements().entries())
    for (const form of formsOf(at, 2)) asked.push(await ask(broken, form));
  for (const [at, broken] of otherStatements().entries())
    for (const form of formsOf(at, 1)) asked.push(await ask(broken, form));
  const day = utcDayOf(server.clock.now());
  const calls = await readCalls(server.store, 'search', day);
  const byId = new Map(calls.map((call) => [call.callId, call]));
  expect(byId.size).toBe(asked.length);
  const problems = asked.flatMap((one) => {
    const problem = problemOf(one) ?? bookedWrong(one, byId.get(one.callId));
    return problem === undefined ? [] : [`${one.what} ${problem}`];
  });
  expect(problems).toEqual([]);
  expect(await heldBy(server.store, 'search')).toBe(0);
  await expectClean(server);
  // Some rows are about a rejected account, which operators must see.
  const errors = server.logLines.filter(
    ({ level, fields }) => level === 'error' && !('account' in fields),
  );
  expect(errors.filter(({ message }) => !known.test(message))).toEqual([]);
}, 600_000);
