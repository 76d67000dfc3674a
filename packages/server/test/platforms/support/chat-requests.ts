import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import fc from 'fast-check';

type Options = LanguageModelV4CallOptions;
type Message = Options['prompt'][number];
type PartOf<Role> = Exclude<Extract<Message, { role: Role }>['content'], string>[number];
type File = Extract<PartOf<'user'>, { type: 'file' }>;
type Output = Extract<PartOf<'tool'>, { type: 'tool-result' }>['output'];

const words = fc.oneof(fc.string({ unit: 'binary', maxLength: 12 }), fc.constantFrom('', 'Hello.'));
const json = fc.jsonValue({ maxDepth: 2 });
const base64 = fc.constantFrom('iVBORw0KGgo=', '/9j/4AAQSkY=', '');
const bytes = fc.uint8Array({ maxLength: 9 });

const text = words.map((said) => ({ type: 'text', text: said }) as const);
const image = fc.record<File>({
  type: fc.constant('file'),
  mediaType: fc.constantFrom('image/png', 'image/jpeg', 'image/x-icon'),
  data: fc.oneof(base64, bytes).map((data) => ({ type: 'data', data })),
});
const call = fc
  .record({ toolCallId: words, toolName: words, input: json })
  // A text that is JSON is where the two differ: a case of its own.
  .filter(({ input }) => typeof input !== 'string' || !isJson(input))
  .map((fields) => ({ type: 'tool-call', ...fields }) as const);
const result = resultOf(words.map((value) => ({ type: 'text', value })));

const oddFile = fc.record<File>({
  type: fc.constant('file'),
  mediaType: fc.constantFrom(
    ...['image', 'image/*', 'image/png', 'audio/wav', 'video/mp4', 'application/pdf', 'text/plain'],
  ),
  data: fc.oneof<fc.Arbitrary<File['data']>[]>(
    fc.oneof(base64, bytes).map((data) => ({ type: 'data', data })),
    fc.constant({ type: 'url', url: new URL('https://pictures.test/a.png') }),
    words.map((said) => ({ type: 'text', text: said })),
    fc.constant({ type: 'reference', reference: { openaiCompatible: 'file_1' } }),
  ),
});
const oddOutput = fc.oneof<fc.Arbitrary<Output>[]>(
  words.map((value) => ({ type: 'error-text', value })),
  json.map((value) => ({ type: 'json', value })),
  json.map((value) => ({ type: 'error-json', value })),
  fc.constant({ type: 'execution-denied' }),
  words.map((said) => ({ type: 'content', value: [{ type: 'text', text: said }] })),
);
const thought = words.map((said) => ({ type: 'reasoning', text: said }) as const);

/** Conversations that the wire has words for. */
const message: fc.Arbitrary<Message> = fc.oneof(
  words.map((content) => ({ role: 'system', content }) as const),
  contentOf('user', fc.oneof(text, image)),
  contentOf('assistant', fc.oneof(text, call)),
  contentOf('tool', result),
);

/** Parts that the wire has no words for, or that nobody here sends. */
const oddMessage: fc.Arbitrary<Message> = fc.oneof(
  contentOf('user', fc.oneof(text, oddFile)),
  contentOf('assistant', fc.oneof(text, call, oddFile, thought)),
  contentOf('tool', fc.oneof(result, resultOf(oddOutput))),
);

const tool = fc.record(
  {
    type: fc.constant('function' as const),
    name: words,
    inputSchema: fc.constantFrom({ type: 'object' } as const, {}),
    description: words,
    strict: fc.boolean(),
  },
  { requiredKeys: ['type', 'name', 'inputSchema'] },
);
const oddTool = fc.constant({ type: 'provider', id: 'a.search', name: 's', args: {} } as const);

const number = fc.double({ noNaN: true });
const settings = {
  maxOutputTokens: fc.nat(),
  temperature: number,
  topP: number,
  frequencyPenalty: number,
  presencePenalty: number,
  seed: fc.integer(),
  // An empty list is a case of its own.
  stopSequences: fc.array(words, { minLength: 1, maxLength: 3 }),
  reasoning: fc.constantFrom('provider-default' as const, 'none' as const, 'high' as const),
  responseFormat: fc.oneof(
    fc.constantFrom({ type: 'text' } as const, { type: 'json' } as const),
    fc.record(
      {
        type: fc.constant('json' as const),
        schema: fc.constantFrom({ type: 'object' } as const, {}),
        name: words,
        description: words,
      },
      { requiredKeys: ['type'] },
    ),
  ),
  tools: fc.array(tool, { maxLength: 3 }),
  toolChoice: fc.oneof(
    fc.constantFrom(...(['auto', 'none', 'required'] as const)).map((type) => ({ type })),
    words.map((toolName) => ({ type: 'tool', toolName }) as const),
  ),
  providerOptions: fc
    .boolean()
    .map((strictJsonSchema) => ({ openaiCompatible: { strictJsonSchema }, openai: {} })),
};

/** Calls of every kind that an operation makes, and more. */
export const chatRequests: fc.Arbitrary<Options> = fc.record(
  { prompt: fc.array(message, { maxLength: 5 }), ...settings },
  { requiredKeys: ['prompt'] },
);

/** Calls that mostly ask for something that the wire has no words for. */
export const oddChatRequests: fc.Arbitrary<Options> = fc.record(
  {
    prompt: fc.array(fc.oneof(message, oddMessage), { minLength: 1, maxLength: 3 }),
    ...settings,
    tools: fc.array(fc.oneof(tool, oddTool), { maxLength: 2 }),
    topK: fc.nat(),
  },
  { requiredKeys: ['prompt'] },
);

function contentOf<Role extends 'user' | 'assistant' | 'tool', Part extends PartOf<Role>>(
  role: Role,
  part: fc.Arbitrary<Part>,
) {
  return fc.array(part, { maxLength: 3 }).map((content) => ({ role, content }));
}

function resultOf(output: fc.Arbitrary<Output>) {
  const type = fc.constant('tool-result' as const);
  return fc.record({ type, toolCallId: words, toolName: words, output });
}

function isJson(said: string): boolean {
  try {
    JSON.parse(said);
    return true;
  } catch {
    /* most texts are none */
    return false;
  }
}
