import { OpenAICompatibleChatLanguageModel } from '@ai-sdk/openai-compatible';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { callOptionsOf } from '../../src/platforms/ai-sdk/call-options.ts';
import type { ModelRequest } from '../../src/platforms/model/model-request.ts';
import type { Decoded } from '../../src/platforms/wires/codec/surface-codec.ts';
import { createEncode } from '../../src/platforms/wires/openai-chat/encode.ts';
import { readMessage } from '../../src/platforms/wires/openai-chat/read-message.ts';
import { chatAnswers } from './support/chat-answers.ts';
import { chatRequests, unusualChatRequests } from './support/chat-requests.ts';
import { smallRequest } from './support/try-platform.ts';

/** The AI SDK's codec of the same wire format: the reference for ours. */
const library = new OpenAICompatibleChatLanguageModel('test-model', {
  provider: 'openaiCompatible',
  url: () => '',
  supportsStructuredOutputs: true,
});
const numRuns = 3_000;
const before = { messages: Array(3).fill({ role: 'user', content: 'Hello.' }) };

/** The serialized text, without blank parts; undefined if the library rejects it. */
function libraryBody(request: ModelRequest): Promise<string | undefined> {
  const messages = request.messages.map((message) => {
    if (message.role !== 'user' || typeof message.content === 'string') return message;
    const parts = message.content.filter((part) => part.type !== 'text' || /\S/.test(part.text));
    return { ...message, content: parts.length === 0 ? '' : parts };
  });
  return library.prepareRequest(callOptionsOf({ ...request, messages }, () => [])).then(
    ({ body }) => JSON.stringify(body),
    () => undefined,
  );
}

/** The same from our codec, which rejects in only one way. */
async function ownBody(request: ModelRequest): Promise<string | undefined> {
  const encoded = await createEncode('max_tokens')('test-model', request);
  return 'problem' in encoded ? undefined : JSON.stringify(encoded.body);
}

const bodyOf = async (asked: Partial<ModelRequest>) =>
  JSON.parse((await ownBody({ ...smallRequest, ...asked })) ?? 'null');

/** The library's parsed response; undefined if the library rejects it. */
function libraryReads(body: unknown) {
  return library.convertResponse({ body }).then(
    ({ content, finishReason: { unified, raw } }) => ({
      ...{ content, finish: unified, finishRaw: raw },
    }),
    () => undefined,
  );
}

const read = (message: object, finish_reason: unknown = 'stop') =>
  readMessage({ choices: [{ message, finish_reason }] }, before);

/** Generated ids, for calls without one, are interchangeable. */
function withoutMadeIds(reading: Awaited<ReturnType<typeof libraryReads>> | Decoded) {
  const seen = new Set<string>();
  const parts: unknown[] = [];
  for (const part of reading?.content ?? []) {
    if (part.type !== 'tool-call') parts.push(part);
    else {
      const { toolCallId: id, toolName, input } = part;
      // An id that several calls have is the first one's.
      const isMade = /^([0-9A-Za-z]{16}|call_3_\d+)$/.test(id) || seen.has(id);
      seen.add(id);
      // A call without a name and an input does not count.
      if (!isMade) parts.push(part);
      else if (toolName + input !== '') parts.push({ ...part, toolCallId: 'made' });
    }
  }
  return parts;
}

describe('requests', () => {
  test('are the bytes that the AI SDK would write', async () => {
    const property = fc.asyncProperty(chatRequests, async (request) => {
      const own = await ownBody(request);
      expect(own).toBeDefined();
      expect(own).toBe(await libraryBody(request));
    });
    await fc.assert(property, { numRuns });
  });

  test('with unusual content are those bytes, or rejected, but never another call', async () => {
    const seen = { same: 0, refused: 0 };
    const property = fc.asyncProperty(unusualChatRequests, async (request) => {
      const own = await ownBody(request);
      seen[own === undefined ? 'refused' : 'same'] += 1;
      if (own !== undefined) expect(own).toBe(await libraryBody(request));
    });
    await fc.assert(property, { numRuns });
    expect(Math.min(seen.same, seen.refused)).toBeGreaterThan(100);
  });

  // The library sends a file that no operation supports.
  test('audio is rejected, not dropped', async () => {
    const sound = { type: 'image', mediaType: 'audio/wav', data: 'UklGRg==' } as const;
    const messages = [{ role: 'user', content: [sound] }] as const;
    expect(await ownBody({ ...smallRequest, messages })).toBeUndefined();
  });

  // The library treats it as serialized JSON, so it would become a number.
  it('the input of a call that is the text "7" stays a text', async () => {
    const toolCalls = [{ id: 'a', name: 'look', input: '7' }];
    const { messages } = await bodyOf({ messages: [{ role: 'assistant', toolCalls }] });
    expect(messages[0].tool_calls[0].function.arguments).toBe('"7"');
  });

  it('an empty list of stop sequences is not sent', async () => {
    expect(await bodyOf({ stop: [] })).not.toHaveProperty('stop');
  });

  it('the maximum output tokens have the requested name, and no other', async () => {
    const encoded = await createEncode('max_completion_tokens')('test-model', smallRequest);
    const written = JSON.parse(JSON.stringify(encoded));
    expect(Object.keys(written.body)).toEqual(['model', 'max_completion_tokens', 'messages']);
  });
});

describe('responses', () => {
  test('are read as the AI SDK would, and where it rejects them, as far as possible', async () => {
    const seen = { read: 0, refused: 0, onlyOurs: 0 };
    const property = fc.asyncProperty(chatAnswers, async (answer) => {
      const own = readMessage(answer, before);
      const expected = await libraryReads(answer);
      if (own === undefined) seen.refused += 1;
      else if (expected === undefined) seen.onlyOurs += 1;
      else {
        seen.read += 1;
        expect(own.finishRaw ?? '').toBe(expected.finishRaw ?? '');
        // It supports only OpenAI's words.
        if (expected.finish !== 'other') expect(own.finish).toBe(expected.finish);
        expect(withoutMadeIds(own)).toEqual(withoutMadeIds(expected));
      }
    });
    await fc.assert(property, { numRuns });
    expect(Math.min(seen.read, seen.refused, seen.onlyOurs)).toBeGreaterThan(50);
  });

  const call = { type: 'function', function: { name: 'look', arguments: '{}' } };

  it.each([undefined, null, ''])('calls whose id is %j get their own ids', (id) => {
    const one = { ...call, id };
    const ids = read({ content: null, tool_calls: [one, one] })?.content.map(
      (part) => 'toolCallId' in part && part.toolCallId,
    );
    expect(ids).toEqual(['call_3_0', 'call_3_1']);
  });

  // The library reads one vendor's field, and rejects the response if the field is invalid.
  it('a vendor’s extra fields of a call do no harm', () => {
    const odd = { ...call, id: 'a', extra_content: 'signed' };
    const content = [{ type: 'tool-call', toolCallId: 'a', toolName: 'look', input: '{}' }];
    expect(read({ tool_calls: [odd] }, 'tool_calls')).toMatchObject({ content });
  });

  it('a refusal is text, and its finish reason is filtered', () => {
    expect(read({ content: null, refusal: 'I cannot.' })).toEqual({
      content: [{ type: 'text', text: 'I cannot.' }],
      finish: 'content-filter',
      finishRaw: 'stop',
    });
  });
});
