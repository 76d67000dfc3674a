import { OpenAICompatibleChatLanguageModel } from '@ai-sdk/openai-compatible';
import { type LanguageModelV4CallOptions, UnsupportedFunctionalityError } from '@ai-sdk/provider';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { createEncode } from '../../src/platforms/openai-chat/encode.ts';
import { readMessage } from '../../src/platforms/openai-chat/read-message.ts';
import { chatAnswers } from './support/chat-answers.ts';
import { chatRequests, oddChatRequests } from './support/chat-requests.ts';
import { smallOptions } from './support/try-platform.ts';

type Options = LanguageModelV4CallOptions;

/** The AI SDK's codec of the same wire: what ours is held against. */
const library = new OpenAICompatibleChatLanguageModel('test-model', {
  provider: 'openaiCompatible',
  url: () => '',
  supportsStructuredOutputs: true,
});
const numRuns = 3_000;
const turn = 3;

/** The text that goes over the wire; undefined where the library refuses. */
function libraryBody(options: Options): Promise<string | undefined> {
  return library.prepareRequest(options).then(
    ({ body }) => JSON.stringify(body),
    () => undefined,
  );
}

/** The same of ours, which refuses in one way only. */
async function ownBody(options: Options): Promise<string | undefined> {
  try {
    const { body, warnings } = await createEncode('max_tokens')('test-model', options);
    expect(warnings).toEqual([]);
    return JSON.stringify(body);
  } catch (error) {
    if (UnsupportedFunctionalityError.isInstance(error)) return undefined;
    throw error;
  }
}

const data = { type: 'data', data: 'iVBORw0KGgo=' } as const;
const picture = { type: 'file', mediaType: 'image/png', data } as const;
const address = { type: 'url', url: new URL('https://pictures.test/a.png') } as const;
const linked = { ...picture, data: address };
const providerTool = { type: 'provider', id: 'a.search', name: 'search', args: {} } as const;

const bodyOf = async (options: Partial<Options>) =>
  JSON.parse((await ownBody({ ...smallOptions, ...options })) ?? 'null');

/** What the library reads; undefined where it refuses. */
function libraryReads(body: unknown) {
  return library.convertResponse({ body }).then(
    ({ content, finishReason }) => ({ content, finishReason }),
    () => undefined,
  );
}

const read = (message: object, finish_reason: unknown = 'stop') =>
  readMessage({ choices: [{ message, finish_reason }] }, turn);

/** Ids that were made, since there was none, are as good as each other. */
function withoutMadeIds(reading: ReturnType<typeof readMessage>) {
  return reading?.content.map((part) => {
    if (part.type !== 'tool-call') return part;
    const isMade = /^([0-9A-Za-z]{16}|call_3_\d+)$/.test(part.toolCallId);
    return isMade ? { ...part, toolCallId: 'made' } : part;
  });
}

describe('requests', () => {
  test('are the bytes that the AI SDK would write', async () => {
    const property = fc.asyncProperty(chatRequests, async (options) => {
      const own = await ownBody(options);
      expect(own).toBeDefined();
      expect(own).toBe(await libraryBody(options));
    });
    await fc.assert(property, { numRuns });
  });

  test('that ask for odd things are those bytes, or refused, but never another call', async () => {
    const seen = { same: 0, refused: 0 };
    const property = fc.asyncProperty(oddChatRequests, async (options) => {
      const own = await ownBody(options);
      seen[own === undefined ? 'refused' : 'same'] += 1;
      if (own !== undefined) expect(own).toBe(await libraryBody(options));
    });
    await fc.assert(property, { numRuns });
    expect(Math.min(seen.same, seen.refused)).toBeGreaterThan(100);
  });

  // The library drops them and goes on, or sends a file that no operation takes.
  test.each<[string, Partial<Options>]>([
    ['a setting of other wires', { topK: 5 }],
    ['a tool that the platform would have', { tools: [providerTool] }],
    ['a file of an assistant', { prompt: [{ role: 'assistant', content: [picture] }] }],
    ['a picture by its address', { prompt: [{ role: 'user', content: [linked] }] }],
    ['a sound', { prompt: [{ role: 'user', content: [{ ...picture, mediaType: 'audio/wav' }] }] }],
  ])('%s is refused, not dropped', async (_, options) => {
    expect(await ownBody({ ...smallOptions, ...options })).toBeUndefined();
  });

  // The library takes it for JSON that was written already, so that it would become a number.
  it('the input of a call that is the text "7" stays a text', async () => {
    const call = { type: 'tool-call', toolCallId: 'a', toolName: 'look', input: '7' } as const;
    const { messages } = await bodyOf({ prompt: [{ role: 'assistant', content: [call] }] });
    expect(messages[0].tool_calls[0].function.arguments).toBe('"7"');
  });

  it('no stop sequences are none on the wire', async () => {
    expect(await bodyOf({ stopSequences: [] })).not.toHaveProperty('stop');
  });

  it('the most output tokens go by the name that is asked for, and by no other', async () => {
    const { body } = await createEncode('max_completion_tokens')('test-model', smallOptions);
    expect(Object.keys(JSON.parse(JSON.stringify(body)))).toEqual([
      ...['model', 'max_completion_tokens', 'messages'],
    ]);
  });
});

describe('answers', () => {
  test('are read as the AI SDK would, and refused where it would refuse', async () => {
    const seen = { read: 0, refused: 0 };
    const property = fc.asyncProperty(chatAnswers, async (answer) => {
      const own = readMessage(answer, turn);
      const expected = await libraryReads(answer);
      seen[own === undefined ? 'refused' : 'read'] += 1;
      expect(own?.finishReason).toEqual(expected?.finishReason);
      expect(withoutMadeIds(own)).toEqual(withoutMadeIds(expected));
    });
    await fc.assert(property, { numRuns });
    expect(Math.min(seen.read, seen.refused)).toBeGreaterThan(500);
  });

  const call = { type: 'function', function: { name: 'look', arguments: '{}' } };

  it.each([undefined, null, ''])('calls whose id is %j get ids of their own', (id) => {
    const one = { ...call, id };
    const ids = read({ content: null, tool_calls: [one, one] })?.content.map(
      (part) => 'toolCallId' in part && part.toolCallId,
    );
    expect(ids).toEqual(['call_3_0', 'call_3_1']);
  });

  // The library reads a field of one vendor's, and refuses the answer where it is odd.
  it('what a vendor adds to a call spoils nothing', () => {
    const odd = { ...call, id: 'a', extra_content: 'signed' };
    const content = [{ type: 'tool-call', toolCallId: 'a', toolName: 'look', input: '{}' }];
    expect(read({ tool_calls: [odd] }, 'tool_calls')).toMatchObject({ content });
  });

  it('a refusal is text, and its finish says that it was filtered', () => {
    expect(read({ content: null, refusal: 'I cannot.' })).toEqual({
      content: [{ type: 'text', text: 'I cannot.' }],
      finishReason: { unified: 'content-filter', raw: 'stop' },
    });
  });
});
