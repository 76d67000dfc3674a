import type { JsonValue, Message, Part } from '@model-gateway/contract';
import fc from 'fast-check';
import type { ModelRequest } from '../../../src/platforms/model/model-request.ts';

const words = fc.oneof(fc.string({ unit: 'binary', maxLength: 12 }), fc.constantFrom('', 'Hello.'));
const json = fc
  .jsonValue({ maxDepth: 2 })
  .map((value): JsonValue => JSON.parse(JSON.stringify(value)));
const base64 = fc.constantFrom('iVBORw0KGgo=', '/9j/4AAQSkY=', '');

const text = words.map((word) => ({ type: 'text', text: word }) as const);
const image = imageOf(fc.constantFrom('image/png', 'image/jpeg', 'image/x-icon'));
const call = fc
  .record({ id: words, name: words, input: json })
  // The two differ in a text that is JSON: a separate case.
  .filter(({ input }) => typeof input !== 'string' || !isJson(input));
const unusualImage = imageOf(
  fc.constantFrom(
    ...['image', 'image/*', 'image/png', 'audio/wav', 'video/mp4', 'application/pdf', 'text/plain'],
  ),
);

/** Conversations that the wire format can express. */
const message: fc.Arbitrary<Message> = fc.oneof(
  words.map((content) => ({ role: 'system', content }) as const),
  userMessage(fc.oneof(text, image)),
  fc.record(
    {
      role: fc.constant('assistant' as const),
      content: words,
      toolCalls: fc.array(call, { maxLength: 3 }),
    },
    { requiredKeys: ['role'] },
  ),
  fc.record({ role: fc.constant('tool' as const), toolCallId: words, content: words }),
);

const tool = fc.record(
  {
    name: words,
    inputSchema: fc.constantFrom({ type: 'object' } as const, {}),
    description: words,
  },
  { requiredKeys: ['name', 'inputSchema'] },
);

const number = fc.double({ noNaN: true });
const settings = {
  maxTokens: fc.nat(),
  temperature: number,
  topP: number,
  frequencyPenalty: number,
  presencePenalty: number,
  seed: fc.integer(),
  // An empty list is a separate case.
  stop: fc.array(words, { minLength: 1, maxLength: 3 }),
  reasoning: fc.constantFrom('none' as const, 'high' as const),
  json: fc.record(
    {
      schema: fc.constantFrom({ type: 'object' } as const, {}),
      name: words,
      description: words,
      isStrict: fc.boolean(),
    },
    { requiredKeys: [] },
  ),
  tools: fc.array(tool, { maxLength: 3 }),
  toolChoice: fc.oneof(
    fc.constantFrom('auto' as const, 'required' as const),
    words.map((name) => ({ name })),
  ),
};

/** Calls of every kind that an operation makes, and more. */
export const chatRequests: fc.Arbitrary<ModelRequest> = requestOf(
  fc.array(message, { maxLength: 5 }),
);

/** Calls that usually request something that the wire format cannot express. */
export const unusualChatRequests: fc.Arbitrary<ModelRequest> = requestOf(
  fc.array(fc.oneof(message, userMessage(fc.oneof(text, unusualImage))), {
    minLength: 1,
    maxLength: 3,
  }),
);

function requestOf(messages: fc.Arbitrary<readonly Message[]>): fc.Arbitrary<ModelRequest> {
  return fc.record({ messages, ...settings }, { requiredKeys: ['messages', 'maxTokens'] });
}

function userMessage(part: fc.Arbitrary<Part>): fc.Arbitrary<Message> {
  const content = fc.oneof(words, fc.array(part, { maxLength: 3 }));
  return fc.record({ role: fc.constant('user' as const), content });
}

function imageOf(mediaType: fc.Arbitrary<string>): fc.Arbitrary<Part> {
  return fc.record({ type: fc.constant('image' as const), mediaType, data: base64 });
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    /* most texts are none */
    return false;
  }
}
