import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { bookAttempt } from '../../src/calls/attempts/attempt-record.ts';
import type { Bound } from '../../src/calls/model/candidate.ts';
import type { CatalogModel } from '../../src/catalog/catalog.ts';
import { estimateReasons, firstReason } from '../../src/domain/doubt.ts';
import { readStatement } from '../../src/platforms/evidence/evidence.ts';
import { readUsage } from '../../src/platforms/evidence/read-usage.ts';
import { Statements } from '../../src/platforms/evidence/statements.ts';
import type { ReportedUsage } from '../../src/platforms/model/port.ts';
import { messagesSubject } from './support/anthropic-message.ts';
import { chatSubject } from './support/chat-completion.ts';
import { attemptWhole, followAttempt } from './support/follow-attempt.ts';
import { responsesSubject } from './support/openai-response.ts';
import { bytesOf, type WireEvent } from './support/stream-events.ts';
import type { SurfaceSubject } from './support/surface-subject.ts';

type Json = Readonly<Record<string, unknown>>;

const usd = {
  ...{ inputPicoUsd: 3n, cachedInputPicoUsd: 1n, cacheWriteInputPicoUsd: 4n, outputPicoUsd: 5n },
  version: 'v1',
};
const bound: Bound = {
  inputTokens: 9_000,
  outputTokens: 9_000,
  amountPicoUsd: 999_999n,
  price: usd,
};
const model: CatalogModel = {
  ...{ id: 'm', platform: 'p', upstreamModel: 'm', structuredOutput: 'json-schema' },
  ...{ images: false, imageTokensMax: 1, contextTokens: 8_000, isListed: true },
};

function booked(usage: ReportedUsage) {
  const answer = { kind: 'answered', content: [], finish: 'stop', finishRaw: 'stop' } as const;
  const outcome = { ...answer, usage, requestId: undefined };
  const { cost, basis, reason } = bookAttempt({
    ...{ outcome, candidate: { model, bound }, startedAt: 0, tookMs: 0 },
  });
  return { cost, basis, reason };
}

/** Input, output and cached input of a usage report; a missing count is not reported. */
type Stated = readonly [
  input?: number | undefined,
  output?: number | undefined,
  cached?: number | undefined,
];

function chatUsage([prompt, completion, cached]: Stated): Json {
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    ...(cached === undefined ? {} : { prompt_tokens_details: { cached_tokens: cached } }),
  };
}

function messageUsage([input, output, cached]: Stated): Json {
  return {
    input_tokens: input === undefined ? undefined : input - (cached ?? 0),
    output_tokens: output,
    cache_read_input_tokens: cached,
  };
}

function responseUsage([input, output, cached]: Stated): Json {
  return {
    ...{ input_tokens: input, output_tokens: output },
    ...(cached === undefined ? {} : { input_tokens_details: { cached_tokens: cached } }),
  };
}

interface Wire {
  readonly subject: SurfaceSubject;
  readonly usage: (stated: Stated) => Json;
  /** The events of a stream that reports all of these. */
  readonly events: (stated: readonly Stated[], more?: Json) => readonly WireEvent[];
}

const wires: Readonly<Record<string, Wire>> = {
  chat: {
    subject: chatSubject,
    usage: chatUsage,
    events: (stated, more = {}) => [
      { data: { choices: [{ delta: { content: 'a' }, finish_reason: 'stop' }] } },
      ...stated.map((one) => ({ data: { choices: [], usage: { ...chatUsage(one), ...more } } })),
      { data: '[DONE]' },
    ],
  },
  messages: {
    subject: messagesSubject,
    usage: messageUsage,
    events: ([first = [], ...rest], more = {}) => {
      const delta = (one: Stated) => ({
        data: {
          ...{ type: 'message_delta', delta: { stop_reason: 'end_turn' } },
          usage: { ...messageUsage(one), ...more },
        },
      });
      return [
        {
          data: { type: 'message_start', message: { usage: { ...messageUsage(first), ...more } } },
        },
        {
          data: {
            ...{ type: 'content_block_start', index: 0 },
            content_block: { type: 'text', text: 'a' },
          },
        },
        ...(rest.length === 0 ? [first] : rest).map(delta),
        { data: { type: 'message_stop' } },
      ];
    },
  },
  responses: {
    subject: responsesSubject,
    usage: responseUsage,
    events: (stated, more = {}) => {
      const answer = responsesSubject.answer({ text: 'a' });
      return stated.map((one, index) => {
        const isLast = index === stated.length - 1;
        const type = isLast ? 'response.completed' : 'response.in_progress';
        const usage = { ...responseUsage(one), ...more };
        return { data: { type, response: isLast ? { ...answer, usage } : { usage } } };
      });
    },
  },
};

async function streamed(wire: Wire, events: readonly WireEvent[]) {
  const { outcome } = await followAttempt(wire.subject, { pieces: [bytesOf(events)] });
  if (outcome.kind !== 'answered') throw new Error(`it ended in ${outcome.code}`);
  return outcome.usage;
}

const contradicted = ['contradicting-counts'];

describe.each(Object.entries(wires))('a stream of %s', (name, wire) => {
  const rows: readonly (readonly [string, readonly Stated[], Stated, readonly string[]])[] = [
    ['one statement', [[100, 50, 10]], [100, 50, 10], []],
    [
      'the same twice',
      [
        [100, 50],
        [100, 50],
      ],
      [100, 50],
      [],
    ],
    [
      'counts that grow',
      [
        [100, 1],
        [100, 20],
        [100, 500],
      ],
      [100, 500],
      [],
    ],
    ['an input, then an output', [[100], [undefined, 50]], [100, 50], []],
    [
      'a whole one, then a part that grew',
      [
        [100, 50],
        [undefined, 60],
      ],
      [100, 60],
      [],
    ],
    [
      'a later smaller one',
      [
        [100, 500],
        [10, 5],
      ],
      [100, 500],
      contradicted,
    ],
    [
      'the two halves with zeros',
      [
        [100, 0],
        [0, 50],
      ],
      [100, 50],
      contradicted,
    ],
    [
      'a smaller part',
      [
        [100, 500],
        [undefined, 5],
      ],
      [100, 500],
      contradicted,
    ],
    [
      'a smaller one, then a larger',
      [
        [100, 500],
        [10, 5],
        [200, 6],
      ],
      [200, 500],
      contradicted,
    ],
    [
      'less that is cached',
      [
        [100, 50, 80],
        [100, 50, 20],
      ],
      [100, 50, 20],
      contradicted,
    ],
  ];
  it.each(rows)('reports %s', async (_what, stated, [input, output, cached], doubts) => {
    const usage = await streamed(wire, wire.events(stated));
    expect([usage.inputTokens, usage.outputTokens]).toEqual([input, output]);
    if (cached !== undefined) expect(usage.cachedInputTokens).toBe(cached);
    expect(usage.doubts.map(({ reason }) => reason)).toEqual(doubts);
  });

  it('reports nothing at last: that is ignored', async () => {
    const usage = await streamed(
      wire,
      wire.events([
        [100, 500],
        [0, 0],
      ]),
    );
    expect(usage.doubts).toEqual([]);
    // If these came before the content, and no others behind it, they cover only a part.
    const { inputTokens, outputTokens } = usage.atLeast ?? usage;
    expect([inputTokens, outputTokens]).toEqual([100, 500]);
    expect(usage.atLeast === undefined).toBe(name === 'chat');
  });

  it('reports another tier, a region and a tool', async () => {
    const terms = {
      ...{ service_tier: 'priority', inference_geo: 'us', speed: 'fast', num_search_queries: 2 },
      server_tool_use: { web_search_requests: 7, web_fetch_requests: 0 },
    };
    const usage = await streamed(wire, wire.events([[100, 50]], terms));
    expect(usage).toMatchObject({ inputTokens: 100, outputTokens: 50 });
    expect(usage.doubts.map((doubt) => `${doubt.reason} ${doubt.name}`).sort()).toEqual([
      'other-region usage.inference_geo',
      'other-tier usage.service_tier',
      'other-tier usage.speed',
      'server-tool usage.num_search_queries',
      'server-tool usage.server_tool_use.web_search_requests',
    ]);
    const answer = {
      ...wire.subject.answer({ text: 'a' }),
      usage: { ...wire.usage([100, 50]), ...terms },
    };
    expect((await attemptWhole(wire.subject, answer)).usage?.doubts).toHaveLength(5);
  });

  it('with the priced terms is exact', async () => {
    const terms = { service_tier: 'standard', inference_geo: 'global', server_tool_use: null };
    const usage = await streamed(wire, wire.events([[100, 50]], terms));
    expect(usage.doubts).toEqual([]);
  });

  it('has its usage twice in one event', async () => {
    const events = wire.events([[100, 500]]).map((event) => {
      const text = JSON.stringify(event.data);
      const less = JSON.stringify(wire.usage([10, 5]));
      return { ...event, raw: text.replace(/"usage":\{[^}]*\}/, `$&,"usage":${less}`) };
    });
    const bytes = events.map(({ data, raw }) => `data: ${data === '[DONE]' ? data : raw}\n\n`);
    const { outcome } = await followAttempt(wire.subject, {
      pieces: [Buffer.from(bytes.join(''))],
    });
    expect(outcome.usage, name).toMatchObject({ inputTokens: 100, outputTokens: 500 });
    expect(outcome.usage?.doubts[0]?.reason).toBe('contradicting-counts');
  });
});

describe('an event of a chat', () => {
  const whole = { prompt_tokens: 100, completion_tokens: 500 };
  it.each([
    ['its usage, then null', `"usage":${JSON.stringify(whole)},"usage":null`],
    ['null, then its usage', `"usage":null,"usage" : ${JSON.stringify(whole)}`],
    ['a name written with escapes', `"usage":${JSON.stringify(whole)},"us\\u0061ge":{}`],
    ['a count twice', '"usage":{"prompt_tokens":100,"completion_tokens":500,"prompt_tokens":10}'],
    [
      'a count, then null',
      '"usage":{"prompt_tokens":100,"completion_tokens":500,"prompt_tokens":null}',
    ],
  ])('has %s', (_what, given) => {
    const text = `{"choices":[],${given}}`;
    const usage = readStatement(JSON.parse(text), readUsage, text);
    expect(usage).toMatchObject({ inputTokens: 100, outputTokens: 500 });
    expect(usage.doubts.map(({ reason }) => reason)).toContain('contradicting-counts');
  });

  it('has cached tokens twice: the smallest', () => {
    const text =
      '{"usage":{"prompt_tokens":100,"completion_tokens":5,"prompt_tokens_details":{"cached_tokens":1,"cached_tokens":90}}}';
    const usage = readStatement(JSON.parse(text), readUsage, text);
    expect(usage).toMatchObject({ inputTokens: 100, outputTokens: 5, cachedInputTokens: 1 });
    expect(booked(usage)).toMatchObject({ basis: 'estimated', reason: 'contradicting-counts' });
  });

  it.each([
    ['spaces', '{ "usage" : { "prompt_tokens" : 100, "completion_tokens" : 1.0 } }'],
    [
      'the word in a text',
      '{"object":"usage","usage":{"prompt_tokens":100,"completion_tokens":1}}',
    ],
    [
      'the same name at two levels',
      '{"usage":{"prompt_tokens":100,"completion_tokens":1,"prompt_tokens_details":{"cached_tokens":1},"input_tokens_details":{"cached_tokens":1}}}',
    ],
  ])('is exact with %s', (_what, text) => {
    expect(readStatement(JSON.parse(text), readUsage, text)).toMatchObject({
      ...{ inputTokens: 100, outputTokens: 1, doubts: [] },
    });
  });

  it('reads a name that occurs a hundred thousand times in linear time', () => {
    const names = Array.from({ length: 100_000 }, (_, index) => `"prompt_tokens":${index}`);
    const text = `{"usage":{${names.join(',')},"completion_tokens":1}}`;
    expect(readStatement(JSON.parse(text), readUsage, text).inputTokens).toBe(99_999);
  });
});

test.each([
  [{ prompt_cache_hit_tokens: 60, prompt_cache_miss_tokens: 50 }, 110, 60, 1],
  [{ prompt_cache_hit_tokens: 60, prompt_cache_miss_tokens: 40 }, 100, 60, 0],
  [{ prompt_cache_hit_tokens: 60, cached_tokens: 20 }, 100, 20, 1],
  [{ total_tokens: 104 }, 100, undefined, 1],
  [{ total_tokens: 105 }, 100, undefined, 0],
])('%j contradicts the other counts, or not', (more, inputTokens, cachedInputTokens, doubts) => {
  const read = readUsage({ usage: { prompt_tokens: 100, completion_tokens: 5, ...more } });
  expect(read).toMatchObject({ inputTokens, cachedInputTokens });
  expect(read.doubts.map(({ reason }) => reason)).toEqual(
    Array(doubts).fill('contradicting-counts'),
  );
});

const count = fc.integer({ min: 0, max: 40 });
const statement = fc.record({
  input: fc.option(count, { nil: undefined }),
  output: fc.option(count, { nil: undefined }),
  share: fc.option(fc.integer({ min: 0, max: 4 }), { nil: undefined }),
});

test('no sequence of reports is booked with less than one of them, or exact in doubt', () => {
  fc.assert(
    fc.property(fc.array(statement, { minLength: 1, maxLength: 5 }), (given) => {
      const all = given.map(({ input, output, share }): Stated => {
        const isShared = share !== undefined && input !== undefined;
        return [input, output, isShared ? Math.floor((input * share) / 4) : undefined];
      });
      const statements = new Statements(readUsage);
      for (const one of all) statements.add({ usage: chatUsage(one) });
      const usage = statements.reportedSoFar() ?? readUsage({});
      const { cost, basis } = booked(usage);
      // A naive reader: the result of one report, with nothing for missing values.
      for (const [input = 0, output = 0, cached = 0] of all) {
        const own = BigInt(input - cached) * 3n + BigInt(cached) + BigInt(output) * 5n;
        const isRefined = all.some(([, , other]) => other !== undefined) && cached === 0;
        if (!isRefined) expect(cost).toBeGreaterThanOrEqual(own);
      }
      // Zeros after a report are ignored.
      const some = all.filter(([input = 0, output = 0]) => input + output > 0);
      const [inputs, outputs, parts] = [0, 1, 2].map((place) =>
        some.map((one) => one[place]).filter((stated) => stated !== undefined),
      );
      const grows = (list: readonly number[] = []) =>
        list.every((one, index) => one >= (list[index - 1] ?? 0));
      if (!grows(inputs) || !grows(outputs) || !grows(parts)) expect(basis).toBe('estimated');
      expect(usage.inputTokens ?? 0).toBe(Math.max(0, ...(inputs ?? [])));
      expect(usage.outputTokens ?? 0).toBe(Math.max(0, ...(outputs ?? [])));
    }),
  );
});

test('the first reason of the order is the call’s own', () => {
  expect(firstReason([])).toBeUndefined();
  expect(firstReason(['no-price', 'other-tier', 'broken-stream'])).toBe('broken-stream');
  expect(Object.keys(estimateReasons)).toHaveLength(16);
});

const golden = new URL('./golden/usage/', import.meta.url);

test.each(readdirSync(golden))('%s reports nothing twice and no terms', (file) => {
  const text = readFileSync(new URL(file, golden), 'utf8');
  const body = JSON.parse(text);
  expect(readStatement(body, readUsage, text).doubts).toEqual(body.read.doubts);
});
