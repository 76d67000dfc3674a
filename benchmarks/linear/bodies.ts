import { benchModel, embeddingsModel } from '../sides/side.ts';
import { cheapestMs, type LinearRow, type RunningService } from './row.ts';

/** A body that is just allowed, and the number in it that is not. */
const bodyBytes = 4 * 1_048_576 - 1_024;
const digits = '1'.repeat(120_000);
const numberMs = 50;

/** The length of a shape that is measured once as long and once twice as long. */
const shapeBytes = 2_000_000;
/** A shape may take 3 times as long where it is twice as long, and this much more. */
const growthMs = 50;

/** A route, a body with `"#"` for a number and `@` for text that fills it. */
interface Place {
  readonly name: string;
  readonly path: string;
  readonly body: object;
}

const user = { role: 'user', content: 'Hello @' };
const own = { model: benchModel, maxTokens: 5 };
const chat = { ...own, messages: [user] };
const schema = { type: 'object', properties: { a: { const: '#' } } };
const agent = { ...chat, tools: [{ name: 'f', description: 'A tool.', inputSchema: schema }] };
const embeddings = { model: embeddingsModel, input: 'Hello @' };
const anthropic = { model: benchModel, max_tokens: 5 };
const item = { type: 'function_call', call_id: 'c', name: 'f', arguments: '{"a":#}' };
const itemResult = { type: 'function_call_output', call_id: 'c', output: 'done' };

/** A conversation with a tool call whose arguments are this text. */
function called(text: string) {
  const call = { id: 'c', type: 'function', function: { name: 'f', arguments: text } };
  const result = { role: 'tool', tool_call_id: 'c', content: 'done' };
  const messages = [user, { role: 'assistant', tool_calls: [call] }, result];
  return { model: benchModel, messages };
}

const chatPath = '/openai/v1/chat/completions';
const responsesPath = '/openai/v1/responses';
const messagesPath = '/anthropic/v1/messages';

/** Every route that takes a body of JSON, with a number where one may stand. */
const places: readonly Place[] = [
  { name: 'chat', path: '/v1/chat', body: { ...chat, temperature: '#' } },
  { name: 'streamed chat', path: '/v1/chat/stream', body: { ...chat, topP: '#' } },
  { name: 'unknown field', path: '/v1/chat', body: { ...chat, wild: ['#'] } },
  { name: 'object', path: '/v1/objects', body: { ...chat, schema } },
  { name: 'streamed object', path: '/v1/objects/stream', body: { ...chat, schema } },
  { name: 'agent', path: '/v1/agents/run', body: agent },
  { name: 'streamed agent', path: '/v1/agents/stream', body: agent },
  {
    name: 'quote',
    path: '/v1/quote',
    body: { operation: 'chat', request: { ...chat, temperature: '#' } },
  },
  { name: 'embeddings', path: '/v1/embeddings', body: { ...embeddings, dimensions: '#' } },
  { name: 'run', path: '/v1/runs', body: { maxCostUsd: '1', expiresInMs: '#', label: '@' } },
  { name: 'completion', path: chatPath, body: { ...called('{}'), temperature: '#' } },
  { name: 'arguments of a completion', path: chatPath, body: called('{"a":#}') },
  {
    name: 'response',
    path: responsesPath,
    body: { model: benchModel, input: 'Hello @', temperature: '#' },
  },
  {
    name: 'arguments of a response',
    path: responsesPath,
    body: { model: benchModel, input: [{ ...user }, item, itemResult] },
  },
  {
    name: 'OpenAI embeddings',
    path: '/openai/v1/embeddings',
    body: { ...embeddings, dimensions: '#' },
  },
  {
    name: 'message',
    path: messagesPath,
    body: { ...anthropic, messages: [user], temperature: '#' },
  },
  {
    name: 'input of a message',
    path: messagesPath,
    body: {
      ...anthropic,
      messages: [
        user,
        { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'f', input: ['#'] }] },
      ],
    },
  },
  {
    name: 'count of tokens',
    path: `${messagesPath}/count_tokens`,
    body: { ...anthropic, messages: [user], temperature: '#' },
  },
];

/** Texts that a prompt repeats; a quote stands as JSON writes it. */
const promptUnits: Readonly<Record<string, string>> = {
  digits: '1',
  'letters e': 'e',
  'minus signs': '-',
  points: '.',
  'numbers with exponents': '1e5 ',
  'digits and letters e': '1e',
  quotes: '\\"',
  backslashes: '\\\\',
  'quoted numbers': '\\"1e5\\",',
  'escaped letters': '\\u0031',
  brackets: '[{',
};

/** Lists of numbers; of the shortest not more than a body may hold. */
const numberUnits: Readonly<Record<string, readonly [unit: string, bytes: number]>> = {
  'numbers with exponents': ['1e5,', 380_000],
  'numbers that grow': ['1e20,', 470_000],
  'numbers of 400 characters': [`0.${'1'.repeat(398)},`, shapeBytes],
  'exponents of 400 characters': [`1.${'1'.repeat(394)}e300,`, shapeBytes],
  'numbers in strings': ['"1e5",', 570_000],
};

/** Bodies of callers: one long number on every route, and shapes of numbers twice as long. */
export function bodyRows(): readonly LinearRow[] {
  return [
    ...places.map((place) => numberRow(place, 'a long number', digits)),
    ...places.map((place) => textRow(place)),
    ...Object.entries(promptUnits).map(([name, unit]) =>
      growthRow(`a prompt of ${name}`, shapeBytes, (bytes) => quoteOf(repeated(unit, bytes))),
    ),
    ...Object.entries(numberUnits).flatMap(([name, [unit, bytes]]) => [
      growthRow(`a tool input of ${name}`, bytes, (most) => inputOf(listOf(unit, most))),
      growthRow(`tool arguments of ${name}`, bytes, (most) => argumentsOf(listOf(unit, most))),
    ]),
  ];
}

interface Request {
  readonly path: string;
  readonly text: string;
}

/** What a body with a number takes more than the same one without it. */
function numberRow({ name, path, body }: Place, what: string, number: string): LinearRow {
  return differenceRow(`${what}, ${name}`, { path, text: filled(body, number) }, path, body);
}

/** The same digits as a text, which is allowed where a text is. */
function textRow({ name, path, body }: Place): LinearRow {
  const text = filled(body, '1').replace('Hello', digits);
  return differenceRow(`digits in a text, ${name}`, { path, text }, path, body);
}

function differenceRow(name: string, given: Request, path: string, body: object): LinearRow {
  const without = { path, text: filled(body, '1') };
  return {
    name,
    atMostMs: numberMs,
    async measure(service, runs) {
      const [ms, msWithout] = await alternating(service, runs, [given, without]);
      return ms - msWithout;
    },
  };
}

function growthRow(name: string, bytes: number, write: (bytes: number) => Request): LinearRow {
  return {
    name: `twice ${name}`,
    atMostMs: growthMs,
    async measure(service, runs) {
      const [once, twice] = await alternating(service, runs, [write(bytes), write(2 * bytes)]);
      return twice - 3 * once;
    },
  };
}

/** The cheapest of the runs of two requests, which take turns. */
async function alternating(
  service: RunningService,
  runs: number,
  [first, second]: readonly [Request, Request],
): Promise<readonly [number, number]> {
  let [firstMs, secondMs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let count = 0; count < runs; count++) {
    firstMs = Math.min(firstMs, await cheapestMs(service, 1, () => ask(service, first)));
    secondMs = Math.min(secondMs, await cheapestMs(service, 1, () => ask(service, second)));
  }
  return [firstMs, secondMs];
}

async function ask({ url, key }: RunningService, { path, text: body }: Request): Promise<void> {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const response = await fetch(url + path, { method: 'POST', headers, body });
  await response.arrayBuffer();
  if (response.status === 404 || response.status === 413 || response.status === 429) {
    throw new Error(`${path} answered ${response.status}: the body was not read`);
  }
}

/** The text of a body of the largest size, with a number in its place. */
function filled(body: object, number: string): string {
  const text = JSON.stringify(body).replace('"#"', number).replace('#', number);
  return text.replace('@', '1e5 and '.repeat((bodyBytes - digits.length * 2) / 8));
}

function repeated(unit: string, bytes: number): string {
  return unit.repeat(bytes / unit.length);
}

function listOf(unit: string, bytes: number): string {
  return `[${repeated(unit, bytes).slice(0, -1)}]`;
}

function quoteOf(prompt: string): Request {
  const request = { ...own, messages: [{ role: 'user', content: '@' }] };
  return quoted(request, `1e5 ${prompt}`);
}

function inputOf(json: string): Request {
  const call = { id: 'c', name: 'f', input: { a: 0 } };
  const result = { role: 'tool', toolCallId: 'c', content: 'done' };
  const messages = [
    { role: 'user', content: 'Hello' },
    { role: 'assistant', toolCalls: [call] },
    result,
  ];
  const { path, text } = quoted({ ...own, messages }, '');
  return { path, text: text.replace('{"a":0}', json) };
}

function argumentsOf(json: string): Request {
  const text = JSON.stringify(called(json));
  return { path: chatPath, text };
}

/** Free of charge, and read as its call would be. */
function quoted(request: object, text: string): Request {
  const body = JSON.stringify({ operation: 'chat', request });
  return { path: '/v1/quote', text: body.replace('@', text) };
}
