import { afterAll, beforeAll, expect, test } from 'vitest';
import { utcDayOf } from '../../src/lib/clock.ts';
import { errorWords } from '../../src/platforms/statements/error-words.ts';
import { finishReasonLines } from '../../src/platforms/statements/finish-reasons.ts';
import {
  type SpokenPlatform,
  startSpokenPlatform,
  yamlOfWires,
} from '../../test/calls/support/spoken-platform.ts';
import { type Json, type Reply, type Wire, wires } from '../../test/calls/support/wires.ts';
import { expectClean, heldBy, readCalls } from '../../test/support/books.ts';
import { startServer, type TestServer } from '../../test/support/server.ts';

// Error objects and finish reasons that are broken in ten ways, on each API format, complete and
// streamed: one final response, no exact cost but that of the counts, and clean books.

let platform: SpokenPlatform;
let server: TestServer;
/** The platform's next response. */
let reply: Reply;

beforeAll(async () => {
  platform = await startSpokenPlatform(() => reply);
  const store = 'sqlite:./gateway.db';
  const price = 'inputUsdPerMillion: "1", outputUsdPerMillion: "10", contextTokens: 20000';
  const models = yamlOfWires({ baseUrl: platform.baseUrl, store, price, attempts: 2 });
  const yaml = `${models}
apps:
  - { name: search, dailyBudgetUsd: "5000", projects: { oa: proj_search1, an: wrkspc_search1 } }
`;
  server = await startServer({ yaml });
});
afterAll(async () => {
  await expectClean(server);
  await server.close();
  platform.close();
});

const counts = {
  chat: { prompt_tokens: 1_000, completion_tokens: 10 },
  responses: { input_tokens: 1_000, output_tokens: 10 },
  messages: { input_tokens: 1_000, output_tokens: 10 },
};
const exact = 1_000n * 1_000_000n + 10n * 10_000_000n;
/** A word may mean that the output was cut off. */
const isPaid = expect.stringMatching(/^(OK|TRUNCATED)$/);
const statuses = [200, 400, 401, 402, 403, 404, 422, 429, 500, 502, 503, 529];

/** A broken error object, by itself or behind a good response. */
const brokenErrors: Readonly<Record<string, (word: string) => Json | string>> = {
  'a list for its code': (code) => ({ error: { code: [code] } }),
  'an object for its code': (code) => ({ error: { code: { code } } }),
  'given twice': (code) => `{"error":{"code":${JSON.stringify(code)}},"error":null}`,
  'a negative status': (type) => ({ error: { code: -429, type } }),
  'a huge status': (type) => ({ error: { code: 1e300, type } }),
  'a fraction for a status': (type) => ({ error: { code: 429.5, type } }),
  'in the wrong place': (code) => ({ meta: { error: { code } } }),
  null: () => ({ error: null }),
  empty: () => ({ error: {} }),
  'a number': () => ({ error: 7 }),
};

const brokenReasons: Readonly<Record<string, (word: string) => unknown>> = {
  'a list': (word) => [word],
  'an object': (word) => ({ word }),
  'a negative number': () => -1,
  'a huge number': () => 1e300,
  'a fraction': () => 0.5,
  'a truth': () => true,
  null: () => null,
  empty: () => '',
  'a long one': (word) => `${word}-`.repeat(10_000),
  'one with other letters': (word) => `${word}\u0000\r\nx-evil: 1 é`,
};

const each = Object.entries(wires).flatMap(([name, wire]) =>
  [true, false].flatMap((isNative) =>
    [false, true].map((isStream) => ({ name, wire, isNative, isStream })),
  ),
);
type Way = (typeof each)[number];

/** Every n-th row of a table, the first rows in the first test. */
const sampleOf = <Of>(lines: readonly Of[], step: number) =>
  lines.filter((_, index) => index % step === 0);

async function ask({ wire, isNative, isStream }: Way) {
  const key = await server.key('search');
  const messages = [{ role: 'user', content: 'x'.repeat(1_500) }];
  const more = wire.model === 'responses' ? {} : { messages };
  const stream = isStream ? { stream: true } : {};
  const body = isNative
    ? { model: wire.model, messages, maxTokens: 100 }
    : { model: wire.model, ...more, ...wire.relay.body, ...stream };
  const path = isNative ? `/v1/chat${isStream ? '/stream' : ''}` : wire.relay.path;
  const response = await fetch(server.url + path, {
    method: 'POST',
    headers: {
      ...{ 'content-type': 'application/json', 'anthropic-version': '2023-06-01' },
      ...(isNative ? { 'x-api-key': key } : { authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  const calls = await readCalls(server.store, 'search', utcDayOf(server.clock.now()));
  return { response, text, call: calls.at(-1) };
}

/** The last words of a stream, one for each API format. */
const ends = {
  native: /^event: (finish|error)$/gm,
  chat: /^data: (\[DONE\]|\{"error":)/gm,
  responses: /^event: error$|^data: \{"type":"response\.(completed|incomplete|failed)"/gm,
  messages: /^event: error$|^data: \{"type":"message_stop"\}$/gm,
};

async function expectOneEnd(way: Way, seen: Awaited<ReturnType<typeof ask>>) {
  const { response, text, call } = seen;
  expect(statuses, text).toContain(response.status);
  expect(JSON.stringify([...response.headers])).not.toContain('evil');
  if (way.isStream && response.status === 200) {
    const format = way.isNative ? 'native' : formatOf(way.wire);
    expect(text.match(ends[format]), text).toHaveLength(1);
  } else expect(() => JSON.parse(text)).not.toThrow();
  expect(await heldBy(server.store, 'search')).toBe(0);
  if (call?.basis === 'exact') expect(call).toMatchObject({ code: isPaid, cost: exact });
  expect(call?.code).not.toBe('INTERNAL');
}

function formatOf({ model }: Wire): keyof typeof counts {
  if (model === 'responses' || model === 'messages') return model;
  return 'chat';
}

test.each(each)(
  'broken error objects, $name, native: $isNative, stream: $isStream',
  async (way) => {
    for (const [what, brokenOf] of Object.entries(brokenErrors)) {
      for (const { word } of sampleOf(errorWords, 40)) {
        const alone = brokenOf(word);
        const before = way.wire.answer(counts[formatOf(way.wire)], {}).events.slice(0, -1);
        reply = { whole: alone, events: [alone] };
        const seen = await ask(way);
        await expectOneEnd(way, seen);
        expect([what, seen.call?.basis]).not.toEqual([what, 'exact']);
        // The same error behind earlier content.
        reply = { whole: alone, events: [...before, alone] };
        await expectOneEnd(way, await ask(way));
      }
    }
  },
);

test.each(each)(
  'broken finish reasons, $name, native: $isNative, stream: $isStream',
  async (way) => {
    for (const brokenOf of Object.values(brokenReasons)) {
      for (const { word } of sampleOf(finishReasonLines, 12)) {
        const answer = way.wire.answer(counts[formatOf(way.wire)], {});
        reply = withReason(answer, brokenOf(word));
        await expectOneEnd(way, await ask(way));
      }
    }
  },
);

/** The same response with another reason, in each field that has one. */
function withReason({ whole, events }: Reply, reason: unknown): Reply {
  const names = ['finish_reason', 'stop_reason', 'status'];
  const replaced = (value: Json | string) =>
    typeof value === 'string'
      ? value
      : JSON.stringify(value, (name, inner) =>
          names.includes(name) && inner !== null ? reason : inner,
        );
  return { whole: replaced(whole), events: events.map(replaced) };
}
