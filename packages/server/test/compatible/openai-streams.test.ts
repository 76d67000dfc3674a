import type { Answer } from '@model-gateway/simulator';
import { describe, expect, test } from 'vitest';
import { utcDayOf } from '../../src/lib/clock.ts';
import { formatUsd } from '../../src/lib/money.ts';
import { billedUsd, expectBooks, expectClean, paid, readCalls } from '../support/books.ts';
import { onStack } from '../support/on-stack.ts';
import type { Stack } from '../support/stack.ts';
import { complete, completionOf, expectOpenAiError, openAiYaml } from './support/openai.ts';

const yaml = `${openAiYaml}streaming: true
streams: { idleMs: 12000 }
`;
const on = { yaml };

/** The data of each event, as JSON except for the last. Comments are skipped. */
function dataOf(text: string): unknown[] {
  const events = text.split('\n\n').filter((event) => event.startsWith('data: '));
  return events.map((event) => {
    const data = event.slice('data: '.length);
    return data === '[DONE]' ? data : JSON.parse(data);
  });
}

const streamed = (more: object = {}, model?: string) => {
  return completionOf(model, { stream: true, ...more });
};
const withUsage = { stream_options: { include_usage: true } };

function answering(answer: Omit<Answer, 'kind'>) {
  return { yaml, script: () => ({ kind: 'answer', ...answer }) as const };
}

describe('a streamed completion', () => {
  const script = answering({ text: 'One two three.', stream: { gapMs: 10 } });

  test(
    'arrives in chunks, of which all but the last announce more',
    onStack(async (stack) => {
      const { status, headers, text } = await complete(stack, streamed());
      expect([status, headers.get('content-type')]).toEqual([
        200,
        'text/event-stream; charset=utf-8',
      ]);
      expect(headers.get('x-max-tokens-applied')).toBe('4096');
      const head = {
        id: headers.get('x-call-id') ?? expect.stringMatching(/^call_/),
        object: 'chat.completion.chunk',
        created: Math.floor(stack.clock.now() / 1_000),
        model: 'sim-echo',
        system_fingerprint: null,
      };
      const chunk = (delta: object, reason: string | null = null) => ({
        ...head,
        choices: [{ index: 0, delta, logprobs: null, finish_reason: reason }],
      });
      expect(dataOf(text)).toEqual([
        chunk({ role: 'assistant', content: '', refusal: null }),
        ...['One', ' two', ' three.'].map((content) => chunk({ content })),
        chunk({}, 'stop'),
        '[DONE]',
      ]);
      await expectClean(stack);
    }, script),
  );

  test(
    'reports counts and cost before its end on request, in a chunk without choices',
    onStack(async (stack) => {
      const { text } = await complete(stack, streamed(withUsage));
      const [usage, done] = dataOf(text).slice(-2);
      const usd = billedUsd(stack, 'search');
      const cost = { cost: Number(usd), cost_usd: usd, cost_estimated: false };
      expect(done).toBe('[DONE]');
      expect(usage).toMatchObject({ choices: [], usage: { total_tokens: 28, ...cost } });
      await expectBooks(stack, 'search', { calls: [paid(usd)], billedUsd: usd });
    }, on),
  );

  test(
    'is [DONE] only when it is settled',
    onStack(async (stack) => {
      const key = await stack.key('search');
      const told = await stack.clock.run(untilDone(stack, key));
      expect(told).toEqual(['OK']);
    }, on),
  );

  const weather = { name: 'weather', arguments: '{"city":"Ulm","days":[1,2]}' };
  const tools = [{ type: 'function', function: { name: 'weather' } }];

  test.each([
    ['v1-chat', 'sim-echo'],
    ['v1-responses', 'sim-responses-only'],
    ['anthropic-v1-messages', 'sim-messages-only'],
  ] as const)(
    'sends each tool call in pieces that identify it: on %s',
    async (pathFamily, model) => {
      const rows = `models:\n  - { id: ${model}, platform: sandbox, pathFamily: ${pathFamily} }\n`;
      const toolCalls = [weather, { ...weather, arguments: '{}' }];
      const options = answering({ text: 'Well.', toolCalls, stream: { toolPieces: 4 } });
      await onStack(
        async (stack) => {
          const { text } = await complete(stack, streamed({ tools }, model));
          const calls = new Map<
            number,
            { id: string | undefined; name: string | undefined; text: string }
          >();
          for (const data of dataOf(text)) {
            const [choice] = typeof data === 'string' ? [] : choicesOf(data);
            for (const piece of choice?.delta.tool_calls ?? []) {
              const known = calls.get(piece.index);
              // Only the first piece has the id.
              expect(piece.id === undefined).toBe(known !== undefined);
              calls.set(piece.index, {
                id: piece.id ?? known?.id,
                name: piece.function.name ?? known?.name,
                text: (known?.text ?? '') + piece.function.arguments,
              });
            }
          }
          expect([...calls.keys()]).toEqual([0, 1]);
          expect([...calls.values()].map((call) => [call.name, JSON.parse(call.text)])).toEqual([
            ['weather', { city: 'Ulm', days: [1, 2] }],
            ['weather', {}],
          ]);
          expect(text).toContain('"finish_reason":"tool_calls"');
          await expectClean(stack);
        },
        { ...options, yaml: `${yaml}${rows}` },
      )();
    },
  );

  test(
    'that is cut off at its limit ends with length, and is paid',
    onStack(async (stack) => {
      const { text } = await complete(stack, streamed({ max_tokens: 5 }, 'sim-truncated'));
      expect(dataOf(text).slice(-2)).toMatchObject([
        { choices: [{ finish_reason: 'length' }] },
        '[DONE]',
      ]);
      await expectBooks(stack, 'search', {
        ...{ calls: [paid(billedUsd(stack, 'search'))], billedUsd: billedUsd(stack, 'search') },
      });
    }, on),
  );

  test.each([true, false])(
    'with a number in its arguments that no request accepts is BAD_OUTPUT: stream %s',
    async (stream) => {
      const toolCalls = [{ ...weather, arguments: `{"days":${'1'.repeat(401)}}` }];
      await onStack(async (stack) => {
        const { status, text } = await complete(stack, completionOf(undefined, { stream, tools }));
        expect([stream, status]).toEqual([stream, stream ? 200 : 503]);
        expect(text).toContain('called weather with a number of more than 400 characters');
        expect(Number(billedUsd(stack, 'search'))).toBeGreaterThan(0);
        const calls = await readCalls(stack.store, 'search', utcDayOf(stack.clock.now()));
        expect(calls.map(({ code }) => code)).toEqual(['BAD_OUTPUT']);
        await expectClean(stack);
      }, answering({ toolCalls }))();
    },
  );

  test(
    'is replayed by its key, whole, with the same id and at no cost',
    onStack(async (stack) => {
      const headers = { 'idempotency-key': 'k' };
      const ask = () => complete(stack, streamed({ ...withUsage, tools }), { headers });
      const first = await ask();
      const again = await ask();
      expect(again.headers.get('idempotent-replayed')).toBe('true');
      expect(said(again.text)).toEqual(said(first.text));
      expect(dataOf(again.text).slice(-2)).toEqual(dataOf(first.text).slice(-2));
      const billed = billedUsd(stack, 'search');
      await expectBooks(stack, 'search', { calls: [paid(billed)], billedUsd: billed });
    }, on),
  );
});

/** The codes of the calls that are settled when the end of a stream is read. */
async function untilDone(stack: Stack, key: string) {
  const response = await stack.fetch('http://gateway.test/openai/v1/chat/completions', {
    ...{ method: 'POST', body: JSON.stringify(streamed()) },
    headers: { 'content-type': 'application/json', 'x-api-key': key },
  });
  let told = '';
  for await (const bytes of response.body ?? []) {
    told += Buffer.from(bytes).toString();
    if (!told.includes('[DONE]')) continue;
    const calls = await readCalls(stack.store, 'search', utcDayOf(stack.clock.now()));
    return calls.map(({ code }) => code);
  }
  return [];
}

interface Choice {
  readonly delta: {
    readonly content?: string;
    readonly tool_calls?: readonly {
      readonly index: number;
      readonly id?: string;
      readonly function: { readonly name?: string; readonly arguments: string };
    }[];
  };
}

function choicesOf(data: unknown): readonly Choice[] {
  return Reflect.get(Object(data), 'choices') ?? [];
}

/** The result of all chunks of a stream. */
function said(text: string) {
  const all = dataOf(text).flatMap((data) => (typeof data === 'string' ? [] : choicesOf(data)));
  const pieces = all.flatMap(({ delta }) => delta.tool_calls ?? []);
  return [
    all.map(({ delta }) => delta.content ?? '').join(''),
    pieces.map((piece) => piece.function.name ?? '').join(''),
    pieces.map((piece) => piece.function.arguments).join(''),
  ];
}

describe('a stream without a good end', () => {
  test.each(['break', 'error', 'end', 'silence'] as const)(
    'since its platform does this: %s – ends in an error event, and never in silence',
    async (how) => {
      await onStack(
        async (stack) => {
          const { text } = await complete(stack, streamed(withUsage));
          const all = dataOf(text);
          expect(all).not.toContain('[DONE]');
          expect(all.at(-1)).toEqual({
            error: {
              message: expect.any(String),
              type: 'server_error',
              param: null,
              code: how === 'silence' ? 'timeout' : 'SERVER',
            },
          });
          expect(all.slice(0, -1).every((data) => choicesOf(data).length === 1)).toBe(true);
          await expectClean(stack);
        },
        answering({ text: 'One two three.', stream: { gapMs: 10, stop: { how, after: 2 } } }),
      )();
    },
  );

  test(
    'keeps its connection awake with comments',
    onStack(
      async (stack) => {
        const { text } = await complete(stack, streamed());
        expect(text).toContain(': keep-alive\n\n');
        expect(dataOf(text).at(-1)).toBe('[DONE]');
      },
      answering({ text: 'One two.', stream: { gapMs: 11_000 } }),
    ),
  );

  test(
    'or without a beginning is an error with its status',
    onStack(async (stack) => {
      expectOpenAiError(await complete(stack, streamed({}, 'sim-down')), {
        ...{ status: 503, type: 'server_error', code: 'SERVER', name: 'SERVER', mayRetry: true },
      });
    }, on),
  );
});

test(
  'where streams are off, a stream is 501, and is not retried',
  onStack(
    async (stack) => {
      expectOpenAiError(await complete(stack, streamed()), {
        param: 'stream',
        ...{ status: 501, type: 'invalid_request_error' },
        ...{ code: 'NOT_IMPLEMENTED', name: 'NOT_IMPLEMENTED' },
      });
      await expectBooks(stack, 'search', { calls: [], billedUsd: '0' });
    },
    { yaml: openAiYaml },
  ),
);

test(
  'the ledger is the simulator’s bill after streams of every kind',
  onStack(async (stack) => {
    for (const model of [
      'sim-echo',
      'sim-reasoning',
      'sim-cached',
      'sim-truncated',
      'sim-bad-json',
    ]) {
      const { status } = await complete(stack, streamed({ max_tokens: 20 }, model));
      expect(status).toBe(200);
    }
    const calls = await readCalls(stack.store, 'search', utcDayOf(stack.clock.now()));
    const cost = calls.reduce((sum, call) => sum + call.cost, 0n);
    expect([calls.length, formatUsd(cost)]).toEqual([5, billedUsd(stack, 'search')]);
    expect(calls.map(({ code, basis }) => `${code} ${basis}`)).toEqual(Array(5).fill('OK exact'));
    await expectClean(stack);
  }, on),
);
