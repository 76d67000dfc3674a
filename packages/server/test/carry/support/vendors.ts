import { createHash } from 'node:crypto';
import type { RawReply } from '@model-gateway/simulator';
import { fieldOf, isRecord } from '../../../src/lib/json-value.ts';

// Platforms that reject a conversation as their vendors do: an assistant message with tool calls
// must have its original fields, byte for byte. They call a tool 4 times, then answer.

type Fields = Readonly<Record<string, unknown>>;

/** A request to a platform. */
export interface Asked {
  readonly body: Fields;
  readonly isStream: boolean;
}

/** A platform, as its reply to a request. */
export type Vendor = (asked: Asked) => RawReply;

/** Turns of an agent, the last of which calls no tool. */
export const turns = 5;

/** The thought of a model in a turn, different for each turn. */
export function thoughtOf(turn: number): string {
  return `I shall look up city ${turn}. "Grüße" \\ ${'.'.repeat(turn % 100)}`;
}

/** The signature of the platform for that thought. */
export function signatureOf(turn: number): string {
  return createHash('sha256').update(`turn ${turn}`).digest('base64');
}

const text = 'It rains in all of them.';
const callId = (turn: number) => `call_${turn}`;
const inputOf = (turn: number) => ({ city: `c${turn}` });

function json(status: number, body: unknown): RawReply {
  const headers = { 'content-type': 'application/json', 'x-request-id': 'req_1' };
  return { kind: 'raw', status, headers, body: JSON.stringify(body) };
}

function events(list: readonly unknown[]): RawReply {
  const written = list.map((event) => {
    const type = fieldOf(event, 'type');
    const name = typeof type === 'string' ? `event: ${type}\n` : '';
    return `${name}data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`;
  });
  const headers = { 'content-type': 'text/event-stream' };
  return { kind: 'raw', status: 200, headers, body: written.join('') };
}

function listIn(value: unknown, name: string): readonly Fields[] {
  const list = fieldOf(value, name);
  return Array.isArray(list) ? list.filter(isRecord) : [];
}

/** The earlier turns of the model. */
function saidIn(body: Fields): readonly Fields[] {
  return listIn(body, 'messages').filter(({ role }) => role === 'assistant');
}

/** Fields of a chat completion by turn, and the error without them. */
interface ChatVendor {
  readonly message: (turn: number) => Fields;
  readonly call: (turn: number) => Fields;
  readonly isIn: (said: Fields, turn: number) => boolean;
  readonly rejection: unknown;
}

function chatVendor({ message, call, isIn, rejection }: ChatVendor): Vendor {
  return ({ body, isStream }) => {
    const said = saidIn(body);
    if (!said.every((one, index) => isIn(one, index + 1))) return json(400, rejection);
    const turn = said.length + 1;
    const called = {
      ...{ id: callId(turn), type: 'function', ...call(turn) },
      function: { name: 'weather', arguments: JSON.stringify(inputOf(turn)) },
    };
    const isLast = turn >= turns || body.tools === undefined;
    const saying = isLast ? { content: text } : { content: null, tool_calls: [called] };
    const finish_reason = isLast ? 'stop' : 'tool_calls';
    const usage = { prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 };
    const head = { id: 'c', model: 'm' };
    if (!isStream) {
      const answer = { role: 'assistant', ...message(turn), ...saying };
      return json(200, { ...head, choices: [{ index: 0, message: answer, finish_reason }], usage });
    }
    const chunk = (delta: object, more: object = {}) => {
      return { ...head, choices: [{ index: 0, delta, finish_reason: null, ...more }] };
    };
    const pieces = Object.entries(message(turn)).flatMap(([name, value]) =>
      piecesOf(value).map((piece) => chunk({ [name]: piece })),
    );
    const last = isLast ? { content: text } : { tool_calls: [{ index: 0, ...called }] };
    return events([
      chunk({ role: 'assistant', content: '' }),
      ...pieces,
      chunk(last),
      chunk({}, { finish_reason }),
      { ...head, choices: [], usage },
      '[DONE]',
    ]);
  };
}

/** A text in two pieces, and a list in as many as the texts of its items have. */
function piecesOf(value: unknown): readonly unknown[] {
  if (typeof value === 'string') return [value.slice(0, 7), value.slice(7)];
  if (!Array.isArray(value)) return [value];
  return value.flatMap((item) => {
    if (!isRecord(item) || typeof item.text !== 'string') return [[item]];
    const { signature, ...rest } = item;
    const [one, other] = piecesOf(item.text);
    const signed = signature === undefined ? [] : [[{ ...rest, text: '', signature }]];
    return [[{ ...rest, text: one }], [{ ...rest, text: other }], ...signed];
  });
}

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** DeepSeek, Moonshot, Z.AI. */
const deepseek = chatVendor({
  message: (turn) => ({ reasoning_content: thoughtOf(turn) }),
  call: () => ({}),
  isIn: (said, turn) => said.reasoning_content === thoughtOf(turn),
  rejection: {
    error: {
      message: 'The reasoning_content in the thinking mode must be passed back to the API.',
      ...{ type: 'invalid_request_error', param: null, code: 'invalid_request_error' },
    },
  },
});

/** Gemini by its chat completions. */
const gemini = chatVendor({
  message: () => ({}),
  call: (turn) => ({ extra_content: { google: { thought_signature: signatureOf(turn) } } }),
  isIn: (said, turn) =>
    listIn(said, 'tool_calls').every(({ extra_content: extra }) =>
      same(extra, { google: { thought_signature: signatureOf(turn) } }),
    ),
  rejection: [
    {
      error: {
        ...{ code: 400, status: 'INVALID_ARGUMENT' },
        message: 'Function call is missing a thought_signature in functionCall parts.',
      },
    },
  ],
});

const detailsOf = (turn: number) => [
  {
    ...{ type: 'reasoning.text', format: 'anthropic-claude-v1', index: 0 },
    ...{ text: thoughtOf(turn), signature: signatureOf(turn) },
  },
  { type: 'reasoning.encrypted', data: signatureOf(turn + 100), format: 'unknown', index: 1 },
];

/** Joins pieces of a stream that come back as a list: each continues the one before it. */
function whole(items: readonly Fields[]): readonly Fields[] {
  const all: Fields[] = [];
  for (const item of items) {
    const before = all.at(-1);
    if (before === undefined || before.index !== item.index) all.push(item);
    else all[all.length - 1] = { ...before, ...item, text: `${before.text}${item.text}` };
  }
  return all;
}

function byName(items: readonly Fields[]): unknown {
  return items.map((item) => Object.entries(item).sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** OpenRouter. */
const openrouter = chatVendor({
  message: (turn) => ({ reasoning: thoughtOf(turn), reasoning_details: detailsOf(turn) }),
  call: () => ({}),
  isIn: (said, turn) =>
    said.reasoning === thoughtOf(turn) &&
    same(byName(whole(listIn(said, 'reasoning_details'))), byName(detailsOf(turn))),
  rejection: { error: { code: 400, message: 'Invalid `signature` in `thinking` block' } },
});

const thinkingOf = (turn: number) => [
  { type: 'thinking', thinking: thoughtOf(turn), signature: signatureOf(turn) },
  { type: 'redacted_thinking', data: signatureOf(turn + 100) },
];

/** Claude with manual thinking. */
const claude: Vendor = ({ body, isStream }) => {
  const said = saidIn(body);
  const isIn = (message: Fields, turn: number) => {
    const blocks = listIn(message, 'content').slice(0, 2);
    return same(byName(blocks), byName(thinkingOf(turn)));
  };
  if (!said.every((message, index) => isIn(message, index + 1))) {
    const found = 'messages.1.content.0.type: Expected `thinking` or `redacted_thinking`';
    const error = { type: 'invalid_request_error', message: `${found}, but found \`tool_use\`.` };
    return json(400, { type: 'error', error });
  }
  const turn = said.length + 1;
  const isLast = turn >= turns || body.tools === undefined;
  const called = { type: 'tool_use', id: callId(turn), name: 'weather', input: inputOf(turn) };
  const saying = isLast ? { type: 'text', text } : called;
  const usage = { input_tokens: 20, output_tokens: 10 };
  const head = { id: 'm', type: 'message', role: 'assistant', model: 'x' };
  const stop_reason = isLast ? 'end_turn' : 'tool_use';
  if (!isStream)
    return json(200, { ...head, content: [...thinkingOf(turn), saying], stop_reason, usage });
  const [thinking, redacted] = thinkingOf(turn);
  const block = (index: number, start: object, deltas: readonly object[]) => [
    { type: 'content_block_start', index, content_block: start },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ];
  const input = { type: 'input_json_delta', partial_json: JSON.stringify(inputOf(turn)) };
  return events([
    { type: 'message_start', message: { ...head, content: [], usage } },
    ...block(0, { ...thinking, thinking: '', signature: '' }, [
      ...piecesOf(thoughtOf(turn)).map((piece) => ({ type: 'thinking_delta', thinking: piece })),
      { type: 'signature_delta', signature: signatureOf(turn) },
    ]),
    ...block(1, redacted ?? {}, []),
    ...(isLast
      ? block(2, { type: 'text', text: '' }, [{ type: 'text_delta', text }])
      : block(2, { ...called, input: {} }, [input])),
    { type: 'message_delta', delta: { stop_reason }, usage },
    { type: 'message_stop' },
  ]);
};

const reasoningOf = (turn: number) => ({
  ...{ id: `rs_${turn}`, type: 'reasoning', encrypted_content: signatureOf(turn) },
  summary: [{ type: 'summary_text', text: thoughtOf(turn) }],
});

/** OpenAI's responses, which it does not store. */
const gpt: Vendor = ({ body, isStream }) => {
  const items = listIn(body, 'input');
  const calls = items.filter(({ type }) => type === 'function_call');
  const isBefore = (call: Fields, turn: number) => {
    const before = items[items.indexOf(call) - 1] ?? {};
    return same(byName([before]), byName([reasoningOf(turn)]));
  };
  if (!calls.every((call, index) => isBefore(call, index + 1))) {
    const item =
      "Item 'fc_1' of type 'function_call' was provided without its required 'reasoning'";
    const error = { message: `${item} item: 'rs_1'.`, type: 'invalid_request_error' };
    return json(400, { error: { ...error, param: 'input', code: null } });
  }
  const turn = calls.length + 1;
  const isLast = turn >= turns || body.tools === undefined;
  const said = { id: 'msg_1', type: 'message', role: 'assistant', status: 'completed' };
  const called = {
    id: `fc_${turn}`,
    type: 'function_call',
    call_id: callId(turn),
    name: 'weather',
  };
  const output = [
    reasoningOf(turn),
    isLast
      ? { ...said, content: [{ type: 'output_text', text, annotations: [] }] }
      : { ...called, arguments: JSON.stringify(inputOf(turn)) },
  ];
  const usage = { input_tokens: 20, output_tokens: 10, total_tokens: 30 };
  const response = { id: 'resp_1', object: 'response', status: 'completed', output, usage };
  if (!isStream) return json(200, response);
  return events([
    { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
    ...piecesOf(thoughtOf(turn)).map((delta) => {
      return { type: 'response.reasoning_summary_text.delta', output_index: 0, delta };
    }),
    ...output.flatMap((item, output_index) => [
      { type: 'response.output_item.added', output_index, item },
      { type: 'response.output_item.done', output_index, item },
    ]),
    { type: 'response.completed', response },
  ]);
};

/** Gemini by its own API, which only a package of the AI SDK supports. */
const google: Vendor = ({ body, isStream }) => {
  const said = listIn(body, 'contents').filter(({ role }) => role === 'model');
  const isSigned = (content: Fields, turn: number) =>
    listIn(content, 'parts').some(
      (part) => part.functionCall !== undefined && part.thoughtSignature === signatureOf(turn),
    );
  if (!said.every((content, index) => isSigned(content, index + 1))) {
    const message = 'Function call is missing a thought_signature in functionCall parts.';
    return json(400, { error: { code: 400, message, status: 'INVALID_ARGUMENT' } });
  }
  const turn = said.length + 1;
  const isLast = turn >= turns || body.tools === undefined;
  const functionCall = { id: callId(turn), name: 'weather', args: inputOf(turn) };
  const part = isLast ? { text } : { functionCall, thoughtSignature: signatureOf(turn) };
  const parts = [{ text: thoughtOf(turn), thought: true }, part];
  const candidates = [{ index: 0, content: { role: 'model', parts }, finishReason: 'STOP' }];
  const usageMetadata = { promptTokenCount: 20, candidatesTokenCount: 10, totalTokenCount: 30 };
  const answer = { candidates, usageMetadata };
  return isStream ? events([answer]) : json(200, answer);
};

/** Each vendor by the name of its model. */
export const vendors = { deepseek, gemini, openrouter, claude, gpt, google } as const;
