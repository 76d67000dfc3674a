import { beforeEach, describe, expect, test } from 'vitest';
import { utcDayOf } from '../../src/lib/clock.ts';
import { expectClean, heldBy, readCalls } from '../support/books.ts';
import { send } from '../support/exchange.ts';
import { platformError } from '../support/platform-outcomes.ts';
import { sharedOn, storeKinds, withApps } from '../support/shared-stack.ts';
import { openStack } from '../support/stack.ts';

// A chat with a file or a URL goes to chat completions unchanged, and reserves the whole context.

let sent: string[] = [];
let failures = 0;
beforeEach(() => {
  sent = [];
  failures = 0;
});

const prices = 'inputUsdPerMillion: "1", outputUsdPerMillion: "2"';
const reads = `images: true, contextTokens: 50000, ${prices}`;
const row = (id: string, upstream: string, speaks: string, more: string) =>
  `  - { id: ${id}, platform: sandbox, upstreamModel: ${upstream}, speaks: [${speaks}], ${more} }`;
const yamlOf = (store: string, unboundedInput: string) => `
company: acme
store: "${store}"
streaming: true
ingress: { openai: true, unboundedInput: ${unboundedInput} }
platforms: { sandbox: { kind: simulator } }
apps: [{ name: search, dailyBudgetUsd: "5" }]
models:
${row('eyes', 'sim-echo', 'chat', reads)}
${row('silent', 'sim-no-usage', 'chat', reads)}
${row('blind', 'sim-echo', 'chat', `contextTokens: 50000, ${prices}`)}
${row('endless', 'sim-echo', 'chat', `images: true, ${prices}`)}
${row('gpt', 'sim-echo', 'responses', reads)}
${row('claude', 'sim-echo', 'messages', reads)}
  - { id: either, route: [eyes, claude] }
`;

const open = (unboundedInput: string) => async (store: string) =>
  withApps(
    await openStack({
      yaml: yamlOf(store, unboundedInput),
      script: ({ bodyText }) => {
        sent = [...sent, bodyText];
        failures -= 1;
        return failures >= 0 ? platformError(504) : undefined;
      },
    }),
  );

const path = '/openai/v1/chat/completions';
const image = (url: string) => ({ type: 'image_url', image_url: { url, detail: 'high' } });
const page = image('https://files.example/a.png');
const pdf = { type: 'file', file: { file_data: 'data:application/pdf;base64,JVBERi0=' } };
const say = { type: 'text', text: 'What is this?' };
const ask = (model: string, part: object, more: object = {}) => ({
  ...{ model, max_tokens: 100, messages: [{ role: 'user', content: [say, part] }] },
  ...more,
});

const contextPicoUsd = 50_000n * 1_000_000n + 100n * 2_000_000n;
const ways = [page, pdf].flatMap((part) => [false, true].map((stream) => ({ part, stream })));

describe.each(storeKinds)('hold-context on %s', (kind) => {
  const house = sharedOn(kind, open('hold-context'));

  async function call(body: object, settings = {}) {
    const { stack, newApp } = house();
    const app = await newApp(settings);
    const headers = { 'x-api-key': await stack.key(app), 'content-type': 'application/json' };
    const text = JSON.stringify(body);
    const exchange = await send(stack, path, { method: 'POST', headers, body: text });
    expect(await heldBy(stack.store, app)).toBe(0);
    await expectClean(stack);
    const calls = await readCalls(stack.store, app, utcDayOf(stack.clock.now()));
    return { ...exchange, calls };
  }

  test.each(ways)(
    'passes it unchanged, and pays the reported cost: $part.type, stream $stream',
    async (way) => {
      const { part, stream } = way;
      const { status, text, calls } = await call(ask('eyes', part, { stream }));
      expect(status, text).toBe(200);
      expect(JSON.parse(sent[0] ?? '')).toMatchObject({ messages: [{ content: [say, part] }] });
      expect(calls).toMatchObject([{ code: 'OK', basis: 'exact' }]);
    },
  );

  test.each(ways)('a retry reserves the context again: $part.type, stream $stream', async (way) => {
    const { part, stream } = way;
    failures = 1;
    const { status, text, calls } = await call(ask('eyes', part, { stream }));
    expect(status, text).toBe(200);
    expect(sent).toHaveLength(2);
    // The attempt that might have been billed is booked as the whole context.
    expect(calls).toMatchObject([{ code: 'OK', estimated: contextPicoUsd }]);
  });

  test('reserves the whole context, and a budget of one unit less has no room', async () => {
    const none = await call(ask('eyes', pdf), { dailyBudgetPicoUsd: contextPicoUsd - 1n });
    expect([none.status, sent]).toEqual([402, []]);
    const some = await call(ask('eyes', pdf), { dailyBudgetPicoUsd: contextPicoUsd });
    expect(some.status, some.text).toBe(200);
  });

  test('a response without counts is booked as the whole context', async () => {
    const { calls } = await call(ask('silent', page));
    expect(calls).toMatchObject([{ code: 'OK', estimated: contextPicoUsd }]);
  });

  test.each([
    ['gpt', page, 'messages[0].content[1] cannot be forwarded to the model gpt'],
    ['claude', pdf, 'messages[0].content[1] cannot be forwarded to the model claude'],
    ['either', pdf, 'which does not support chat completions'],
    ['endless', pdf, 'has no `contextTokens`'],
    ['blind', page, 'does not accept images'],
    [
      'eyes',
      image('file:///etc/passwd'),
      'messages[0].content[1].image_url.url must be a data: URL',
    ],
    ['eyes', { type: 'input_audio', input_audio: { data: 'AA', format: 'wav' } }, 'must be text'],
  ])('%s rejects %j before anything is sent', async (model, part, sentence) => {
    const { status, text } = await call(ask(model, part));
    expect([status, JSON.parse(text).error.message]).toEqual([
      400,
      expect.stringContaining(sentence),
    ]);
    expect(sent).toEqual([]);
  });
});

describe('refuse, the default', () => {
  const house = sharedOn('sqlite', open('refuse'));

  test.each([
    [page, 'messages[0].content[1].image_url.url'],
    [pdf, 'messages[0].content[1].type'],
  ])('%j is 400 with its field', async (part, param) => {
    const { stack, newApp } = house();
    const headers = { 'x-api-key': await stack.key(await newApp()) };
    const body = JSON.stringify(ask('eyes', part));
    const init = {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body,
    };
    const { status, text } = await send(stack, path, init);
    expect([status, JSON.parse(text).error.param]).toEqual([400, param]);
    expect(sent).toEqual([]);
  });
});
