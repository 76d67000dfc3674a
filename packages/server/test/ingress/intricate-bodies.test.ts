import { bodyLimits } from '@model-gateway/contract';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { readJson } from '../../src/ingress/body/read-json.ts';
import { briefBytesMax } from '../../src/lib/json-size.ts';
import { expectBooks } from '../support/books.ts';
import { chatOf, sendBody } from '../support/exchange.ts';
import { expectError } from '../support/expect-answer.ts';
import { sharedStack } from '../support/shared-stack.ts';

const shared = sharedStack({
  yaml: `
company: acme
store: sqlite:./gateway.db
platforms: { sandbox: { kind: simulator } }
plans: { user: { ratePerSecond: 100000, burst: 100000 } }
apps: [{ name: search, dailyBudgetUsd: "5" }]
`,
});

afterEach(() => vi.restoreAllMocks());

const bytesMax = 4_194_304;
const { jsonDepthMax, jsonNamesMax, jsonValuesMax } = bodyLimits;

/** As much as fits into a body: `item` returns each item, and `around` has the brackets. */
function full(item: (index: number) => string, around = '[]'): string {
  const items: string[] = [];
  let bytes = 0;
  for (let index = 0; bytes < bytesMax - 200; index++) {
    items.push(item(index));
    bytes += (items.at(-1)?.length ?? 0) + 1;
  }
  return `${around.slice(0, -1)}${items.join(',')}${around.at(-1)}`;
}

const message = '{"role":"user","content":"Hi."}';
const chat = (messages: string) => `{"model":"sim-echo","maxTokens":1,"messages":${messages}}`;

const tooMany = {
  values: `The body has more than ${jsonValuesMax} values`,
  names: `The body has more than ${jsonNamesMax} names`,
  depth: `is nested deeper than ${jsonDepthMax} levels`,
};

/** Bodies that cost every caller a second if they are parsed before they are rejected. */
const bodies: readonly (readonly [string, () => string, keyof typeof tooMany])[] = [
  ['objects of different shapes', () => full((index) => `{"a${index}":1}`), 'names'],
  ['one object of all names', () => full((index) => `"a${index}":1`, '{}'), 'names'],
  ['two million levels', () => '['.repeat(2e6) + ']'.repeat(2e6), 'depth'],
  ['the same in objects', () => '{"a":'.repeat(4e5) + '}'.repeat(4e5), 'depth'],
  ['messages, the last one wrong', () => chat(`${full(() => message).slice(0, -1)},7]`), 'names'],
  ['right messages', () => chat(full(() => message)), 'names'],
  ['empty objects', () => full(() => '{}'), 'values'],
  ['empty lists', () => full(() => '[]'), 'values'],
  ['numbers', () => full(() => '1'), 'values'],
  ['in the input of a tool', () => chat(`[{"input":${full(() => '0')}}]`), 'values'],
];

describe('a body of 4 MiB is rejected before it is parsed', () => {
  test.each(bodies)('%s', async (_, write, bound) => {
    const { stack } = shared();
    const body = write();
    expect(body.length).toBeLessThanOrEqual(bytesMax);
    const parse = vi.spyOn(JSON, 'parse');
    const answer = await sendBody(stack, 'search', body);
    const parsed = parse.mock.calls.filter(([text]) => text === body);
    parse.mockRestore();
    expectError(answer, { status: 400, code: 'INVALID', says: [tooMany[bound]] });
    expect(parsed).toEqual([]);
    const counts = { values: 0, names: 0 };
    expect(() => readJson('application/json', Buffer.from(body), counts)).toThrow();
    expect(counts.values).toBeLessThanOrEqual(jsonValuesMax + 1);
    expect(counts.names).toBeLessThanOrEqual(jsonNamesMax + 1);
    await expectBooks(stack, 'search', { calls: [], billedUsd: '0' });
  });
});

describe('a fault before the excess is reported as usual', () => {
  const deep = '['.repeat(65);
  test.each([
    [`{"model":${deep}`, 'model[0][0][0][0][0][0][0] is nested deeper than 64 levels'],
    [`{"model":"a","model":${deep}`, 'model is given twice'],
    [`{"maxTokens":1e999,"model":${deep}`, 'maxTokens is too large for a number'],
    [`{"a\\x":1,"model":${deep}`, 'The body is nested deeper than 64 levels'],
    [`{"a":"\\",${deep}`, 'The body is not JSON'],
  ])('%s', async (body, says) => {
    // A brief one is parsed first, and its depth is checked afterwards.
    const long = `${' '.repeat(briefBytesMax)}${body}`;
    const answer = await sendBody(shared().stack, 'search', long);
    expectError(answer, { status: 400, code: 'INVALID', says: [says] });
  });

  test('also in a brief body', async () => {
    const levels = `{"model":${deep}${']'.repeat(65)}}`;
    const answer = await sendBody(shared().stack, 'search', levels);
    const says = ['model[0][0][0][0][0][0][0] is nested deeper than 64 levels'];
    expectError(answer, { status: 400, code: 'INVALID', says });
  });
});

describe('lists that no normal caller fills', () => {
  const hi = { role: 'user', content: 'Hi.' } as const;
  const call = (id: number) => ({ id: `c${id}`, name: 'n', input: {} });
  const list = <T>(length: number, item: (index: number) => T) =>
    Array.from({ length }, (_, index) => item(index));
  test.each([
    ['messages', list(10_001, () => hi), 10_000],
    [
      'messages[0].content',
      [{ role: 'user', content: list(10_001, () => ({ type: 'text', text: 'a' })) }],
      10_000,
    ],
    ['messages[0].toolCalls', [{ role: 'assistant', toolCalls: list(1_001, call) }], 1_000],
  ])('%s', async (path, messages, most) => {
    const answer = await sendBody(shared().stack, 'search', chatOf('sim-echo', { messages }));
    const says = [`${path} takes at most ${most} entries; it has ${most + 1}`];
    expectError(answer, { status: 400, code: 'INVALID', says });
  });

  test('are accepted up to the limit', async () => {
    const { stack, newApp } = shared();
    const results = list(1_000, (id) => ({ role: 'tool', toolCallId: `c${id}`, content: 'a' }));
    const assistant = { role: 'assistant', toolCalls: list(1_000, call) };
    const parts = { role: 'user', content: list(1_000, () => ({ type: 'text', text: 'a' })) };
    const messages = [parts, assistant, ...results, ...list(7_998, () => hi)];
    const body = chatOf('sim-echo', { messages });
    expect((await sendBody(stack, await newApp(), body)).status).toBe(200);
  });
});
