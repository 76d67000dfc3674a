import type { ModelRequest } from '../../src/platforms/model/model-request.ts';
import { createAnthropicMessages } from '../../src/platforms/wires/anthropic-messages/anthropic-messages.ts';
import { createOpenAiChat } from '../../src/platforms/wires/openai-chat/openai-chat.ts';
import { createOpenAiEmbeddings } from '../../src/platforms/wires/openai-embeddings/openai-embeddings.ts';
import { createOpenAiResponses } from '../../src/platforms/wires/openai-responses/openai-responses.ts';
import type { SurfaceModels, SurfaceParts } from '../../src/platforms/wires/surface.ts';
import { createFollower, partsOf } from '../platforms/support/follow-attempt.ts';
import { smallRequest } from '../platforms/support/try-platform.ts';
import type { Reader } from './reader.ts';
import { inPlaces, raw, repeated, type Shapes } from './shapes.ts';

/** Bytes that a socket delivers at once. */
const pieceBytes = 16_384;
/** Large enough for a response of any size. */
const maxTokens = 1_000_000;

/** A wire format and its responses, with the places of `inPlaces`. */
interface Wire {
  readonly name: string;
  readonly modelsOf: (parts: SurfaceParts) => SurfaceModels;
  readonly request: ModelRequest;
  readonly answer: string;
  /** Events of a stream, each of which can be repeated. */
  readonly events: readonly string[];
}

const own: ModelRequest = { ...smallRequest, maxTokens };
const relayed = (wire: 'anthropic-messages' | 'openai-responses'): ModelRequest => {
  const relay = { wire, text: '{"model":"mine"}', model: 'mine', headers: {} };
  return { messages: [], maxTokens, relay };
};

const chat = {
  modelsOf: createOpenAiChat,
  answer:
    '{"wild":"#","choices":[{"message":{"content":"@","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"~"}}]},"finish_reason":"stop"}]}',
  events: [
    '{"wild":"#","choices":[{"index":0,"delta":{"content":"@"}}]}',
    '{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c","function":{"name":"f","arguments":"@"}}]}}]}',
  ],
};
const responses = {
  modelsOf: createOpenAiResponses,
  answer:
    '{"wild":"#","status":"completed","output":[{"type":"message","content":[{"type":"output_text","text":"@"}]},{"type":"function_call","call_id":"c","name":"f","arguments":"~"}]}',
  events: [
    '{"type":"response.output_text.delta","output_index":0,"delta":"@","wild":"#"}',
    '{"type":"response.output_item.done","output_index":0,"item":{"type":"function_call","call_id":"c","name":"f","arguments":"~"}}',
  ],
};
const messages = {
  modelsOf: createAnthropicMessages,
  answer:
    '{"wild":"#","content":[{"type":"text","text":"@"},{"type":"tool_use","id":"c","name":"f","input":"#"}],"stop_reason":"end_turn"}',
  events: [
    '{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""},"wild":"#"}',
    '{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"@"}}',
  ],
};

const wires: readonly Wire[] = [
  { name: 'chat completions', request: own, ...chat },
  { name: 'responses', request: own, ...responses },
  { name: 'messages', request: own, ...messages },
  { name: 'relayed responses', request: relayed('openai-responses'), ...responses },
  { name: 'relayed messages', request: relayed('anthropic-messages'), ...messages },
];

const vectors: Wire = {
  name: 'embeddings',
  modelsOf: (parts) => createOpenAiEmbeddings({ ...parts, encodingFormat: 'float' }),
  request: { messages: [], maxTokens, embed: { texts: ['a'] } },
  answer: '{"wild":"#","data":[{"index":0,"embedding":"#"}],"model":"@"}',
  events: [],
};

/** Responses of platforms, whole and streamed, on every wire format, without a socket. */
export function platformReaders(): readonly Reader[] {
  const all = wires.flatMap((wire) => [wholeOf(wire), errorOf(wire), streamOf(wire)]);
  return [...all, wholeOf(vectors)];
}

function wholeOf(wire: Wire): Reader {
  const read = (text: string | Uint8Array) =>
    attempt(wire, text, { status: 200, type: 'application/json' });
  return { name: `answer of ${wire.name}`, shapes: inPlaces(wire.answer), read };
}

function errorOf(wire: Wire): Reader {
  const read = (text: string | Uint8Array) =>
    attempt(wire, text, { status: 400, type: 'application/json' });
  const shapes = { ...inPlaces('{"error":{"message":"@","param":"#"}}'), ...raw };
  return { name: `error of ${wire.name}`, shapes, read };
}

function streamOf(wire: Wire): Reader {
  const read = (text: string | Uint8Array) =>
    attempt(wire, text, { status: 200, type: 'text/event-stream' });
  const events = wire.events.map((event) => `data: ${event}\n\n`);
  const shapes: Shapes = {
    ...Object.assign({}, ...events.map((event) => inPlaces(event))),
    ...Object.fromEntries(
      events.map((event, index) => {
        const small = event.replace('"#"', '1').replace('@', 'a').replace('~', '{}');
        return [`many events of kind ${index + 1}`, repeated(small)] as const;
      }),
    ),
    ...raw,
  };
  return { name: `stream of ${wire.name}`, shapes, read };
}

async function attempt(
  { modelsOf, request }: Wire,
  text: string | Uint8Array,
  { status, type }: { readonly status: number; readonly type: string },
): Promise<void> {
  const bytes = Buffer.from(text);
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    pieces.push(bytes.subarray(at, at + pieceBytes));
  }
  const parts = partsOf({ pieces, head: { status, headers: { 'content-type': type } } });
  const { signal } = new AbortController();
  const { stream } = createFollower();
  const isStream = type === 'text/event-stream';
  await modelsOf(parts)('test-model').attempt(request, { signal, ...(isStream && { stream }) });
}
