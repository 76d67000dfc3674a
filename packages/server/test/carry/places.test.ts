import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isRecord } from '../../src/lib/json-value.ts';
import { encodeAnthropicMessages } from '../../src/platforms/ai-sdk/encode-messages.ts';
import { createEncodeResponses } from '../../src/platforms/ai-sdk/encode-responses.ts';
import type { ModelMessage } from '../../src/platforms/model/model-request.ts';
import { MessageFold } from '../../src/platforms/wires/anthropic-messages/fold-events.ts';
import { readMessage } from '../../src/platforms/wires/anthropic-messages/read-message.ts';
import type { Decoded } from '../../src/platforms/wires/codec/surface-codec.ts';
import { ResponseFold } from '../../src/platforms/wires/openai-responses/fold-events.ts';
import { readOutput } from '../../src/platforms/wires/openai-responses/read-output.ts';

// Vendors reject reasoning that was moved. Claude thinks between its calls, and OpenAI's reasoning
// is before the item that it belongs to.

const kinds = fc.array(fc.constantFrom<string>('thought', 'call'), { maxLength: 8 });
/** A response has at most one text, before its calls. */
const shapes = fc
  .tuple(kinds, fc.nat({ max: 8 }), fc.boolean())
  .map(([list, at, hasText]) => {
    const firstCall = list.indexOf('call');
    const end = firstCall === -1 ? list.length : firstCall;
    return hasText ? list.toSpliced(Math.min(at, end), 0, 'text') : list;
  })
  .filter((list) => list.includes('call') || list.includes('text'));

type Shape = readonly string[];
const call = (n: number) => ({ id: `c${n}`, name: 'f', input: {} });

/** The message as the caller sends it back, with the fields that the response carried. */
function sentBack({ content, carried }: Decoded): readonly ModelMessage[] {
  const calls = content.flatMap((part) =>
    part.type === 'tool-call' ? [{ id: part.toolCallId, name: part.toolName, input: {} }] : [],
  );
  const text = content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
  return [
    { role: 'user', content: 'Hello' },
    { role: 'assistant', content: text, toolCalls: calls, carried },
    ...calls.map(({ id }) => ({ role: 'tool' as const, toolCallId: id, content: 'x' })),
    { role: 'user', content: 'Go on' },
  ];
}

const request = (messages: readonly ModelMessage[]) => ({ messages, maxTokens: 100 });

const blocksOf = (shape: Shape) =>
  shape.map((kind, n) => {
    if (kind === 'text') return { type: 'text', text: 'Hello.' };
    if (kind === 'call') return { type: 'tool_use', ...call(n) };
    return { type: 'thinking', thinking: `T${n}`, signature: `s${n}` };
  });

/** The carried fields that a stream has sent. */
function toldBy(told: readonly { readonly type: string; readonly text?: string }[]): unknown[] {
  return told.flatMap(({ type, text = '' }) => (type === 'own' ? [JSON.parse(text)] : []));
}

test('thinking of Claude stays where it was', async () => {
  await fc.assert(
    fc.asyncProperty(shapes, async (shape) => {
      const content = blocksOf(shape);
      const decoded = readMessage({ content, stop_reason: 'end_turn' }, false, 1);
      if (decoded === undefined) throw new Error('it is a message');
      const encoded = await encodeAnthropicMessages('claude-x', request(sentBack(decoded)));
      const body = 'body' in encoded && isRecord(encoded.body) ? encoded.body : {};
      const messages = Array.isArray(body.messages) ? body.messages : [];
      expect(messages[1]?.content).toEqual(content);

      const told: { type: string; text?: string }[] = [];
      const kind = { isJson: false, isRelayed: false };
      const fold = new MessageFold(kind, 1, (delta) => void told.push(delta));
      for (const [index, content_block] of content.entries()) {
        for (const type of ['content_block_start', 'content_block_stop'])
          fold.read({ type, index, content_block }, '', '{}');
      }
      const blocks = decoded.carried?.message.thinking_blocks ?? [];
      const list = Array.isArray(blocks) ? blocks : [];
      expect(toldBy(told)).toEqual(list.map((block) => ({ thinking_blocks: [block] })));
    }),
  );
});

const itemsOf = (shape: Shape) =>
  shape.map((kind, n) => {
    if (kind === 'text')
      return { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hi' }] };
    if (kind === 'call')
      return { type: 'function_call', call_id: `c${n}`, name: 'f', arguments: '{}' };
    return { type: 'reasoning', id: `rs_${n}`, encrypted_content: `e${n}`, summary: [] };
  });

test('reasoning of responses stays before its item', async () => {
  const encode = createEncodeResponses('/responses');
  await fc.assert(
    fc.asyncProperty(shapes, async (shape) => {
      const output = itemsOf(shape);
      const decoded = readOutput({ status: 'completed', output }, false, 1);
      if (decoded === undefined) throw new Error('it is a response');
      const encoded = await encode('gpt-5', request(sentBack(decoded)));
      const body = 'body' in encoded && isRecord(encoded.body) ? encoded.body : {};
      const input = Array.isArray(body.input) ? body.input : [];
      const names = output.map(({ type, ...item }) => ('id' in item ? item.id : type));
      const sent = input.slice(1, 1 + output.length);
      expect(sent.map(({ type = 'message', id }) => id ?? type)).toEqual(names);

      const told: { type: string; text?: string }[] = [];
      const kind = { isJson: false, isRelayed: false };
      const fold = new ResponseFold(kind, 1, (delta) => void told.push(delta));
      for (const item of output) fold.read({ type: 'response.output_item.done', item }, '', '{}');
      const items = decoded.carried?.message.reasoning_items ?? [];
      const list = Array.isArray(items) ? items : [];
      expect(toldBy(told)).toEqual(list.map((item) => ({ reasoning_items: [item] })));
    }),
  );
});
