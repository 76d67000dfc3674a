import { describe, expect, test } from 'vitest';
import { settled } from '../streams/support/books.ts';
import { openPayingHouse } from './support/paying-house.ts';
import { startRaw } from './support/raw-caller.ts';

const chats = '/openai/v1/chat/completions';
const responses = '/openai/v1/responses';
const embeddings = '/openai/v1/embeddings';
const messages = '/anthropic/v1/messages';

/** The smallest body that each route accepts. */
const bodies: Readonly<Record<string, object>> = {
  [chats]: { model: 'told-chat', messages: [{ role: 'user', content: 'Hello' }] },
  [responses]: { model: 'told-responses', input: [{ role: 'user', content: 'Hello' }] },
  [embeddings]: { model: 'told-embeddings', input: 'Hello' },
  [messages]: {
    ...{ model: 'told-messages', max_tokens: 10 },
    messages: [{ role: 'user', content: 'Hello' }],
  },
};

const remote = 'https://a.example/a.png';
const said = (content: unknown) => ({ messages: [{ role: 'user', content }] });
const put = (content: unknown) => ({ input: [{ role: 'user', content }] });
const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const text = (path: string, more: string) => {
  const whole = JSON.stringify(bodies[path]);
  return `${whole.slice(0, -1)},${more}}`;
};

type Row = readonly [string, string, object | string, string | RegExp | undefined];

/** The fault, its field on each route, and the field that the error names. */
const rows: readonly Row[] = [
  [
    ...(['a remote image', chats] as const),
    said([{ type: 'image_url', image_url: { url: remote } }]),
    'messages[0].content[0].image_url.url',
  ],
  [
    ...(['a remote image', responses] as const),
    put([{ type: 'input_image', image_url: remote }]),
    'input[0].content[0].image_url',
  ],
  [
    ...(['a remote image', messages] as const),
    said([{ type: 'image', source: { type: 'url', url: remote } }]),
    'messages[0].content[0].source',
  ],
  ['n: 2', chats, { n: 2 }, 'n'],
  ['n: 2', responses, { n: 2 }, 'n'],
  ['n: 2', embeddings, { n: 2 }, 'n'],
  ['n: 2', messages, { n: 2 }, 'n'],
  ['an unknown role', chats, { messages: [{ role: 'robot', content: 'x' }] }, 'messages[0].role'],
  ['an unknown role', responses, { input: [{ role: 'robot', content: 'x' }] }, 'input[0].role'],
  [
    'an unknown role',
    messages,
    { messages: [{ role: 'robot', content: 'x' }] },
    'messages[0].role',
  ],
  ['a tool without a name', responses, { tools: [{ type: 'function' }] }, 'tools[0].name'],
  ['a tool without a name', messages, { tools: [{ input_schema: {} }] }, 'tools[0].name'],
  ['a form that is none', responses, { text: { format: { type: 'xml' } } }, 'text.format.type'],
  [
    ...(['a form that is none', messages] as const),
    { output_config: { format: { type: 'xml' } } },
    'output_config.format.type',
  ],
  [
    ...(['a tool without a name', chats] as const),
    { tools: [{ type: 'function', function: {} }] },
    'tools[0].function.name',
  ],
  [
    ...(['a form that is none', chats] as const),
    { response_format: { type: 'xml' } },
    'response_format.type',
  ],
  ...[chats, responses, messages, embeddings].map(
    (path) =>
      ['service_tier: priority', path, { service_tier: 'priority' }, 'service_tier'] as const,
  ),
  ...[chats, responses, messages, embeddings].map(
    (path) => ['modalities: ["audio"]', path, { modalities: ['audio'] }, 'modalities'] as const,
  ),
  ...Object.keys(bodies).flatMap((path): readonly Row[] => [
    ['a body that is not JSON', path, '{"model":', undefined],
    ['no body', path, '', undefined],
    ['a name twice', path, text(path, '"model":"sim-echo"'), 'model'],
    ['half a surrogate pair', path, text(path, '"user":"\\ud800"'), 'user'],
    ['too many levels', path, text(path, `"tools":${nested(64)}`), /^tools(\[0\])+/],
  ]),
];

const house = openPayingHouse('sqlite');

async function expectRefused(path: string, text: string) {
  const { newApp, stack } = house();
  const app = await newApp();
  const caller = await startRaw(stack, app, path, { text });
  await caller.untilEnd();
  const told = [caller.status(), caller.header('x-error-code')];
  expect(told, caller.text()).toEqual([400, 'INVALID']);
  const body = JSON.parse(caller.text());
  expect(body.type).toBe(path === messages ? 'error' : undefined);
  expect(body.error.type).toBe('invalid_request_error');
  expect(await settled(stack, app)).toEqual([]);
  expect(stack.simulator.bill().total.calls).toBe(0);
  return body.error;
}

describe('bad input is 400 in the format of its protocol', () => {
  test.each(rows)('with the field: %s, %s', async (_, path, wrong, param) => {
    const text = typeof wrong === 'string' ? wrong : JSON.stringify({ ...bodies[path], ...wrong });
    const error = await expectRefused(path, text);
    // Anthropic's errors name the field in the message.
    const named: unknown = path === messages ? error.message.split(' ')[0] : error.param;
    if (param instanceof RegExp) expect(named).toMatch(param);
    else if (param !== undefined) expect(named).toBe(param);
    else if (path !== messages) expect(named).toBeNull();
  });
});
