import { describe, expect, it } from 'vitest';
import {
  createReadFinish,
  type Finish,
  finishReasonLines,
  readFinish,
} from '../../../src/platforms/statements/finish-reasons.ts';
import { readMessage as readAnthropic } from '../../../src/platforms/wires/anthropic-messages/read-message.ts';
import { readMessage } from '../../../src/platforms/wires/openai-chat/read-message.ts';
import { readOutput } from '../../../src/platforms/wires/openai-responses/read-output.ts';

/** The vendors' original words, and the reason why the model stopped. */
const cases: readonly (readonly [string, Finish])[] = [
  ['stop', 'stop'],
  ['length', 'length'],
  ['content_filter', 'content-filter'],
  ['tool_calls', 'tool-calls'],
  ['function_call', 'tool-calls'],
  ['completed', 'stop'],
  ['max_output_tokens', 'length'],
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['MAX_TOKENS', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['tool_use', 'tool-calls'],
  ['refusal', 'content-filter'],
  ['SAFETY', 'content-filter'],
  ['RECITATION', 'content-filter'],
  ['BLOCKLIST', 'content-filter'],
  ['PROHIBITED_CONTENT', 'content-filter'],
  ['SPII', 'content-filter'],
  ['IMAGE_SAFETY', 'content-filter'],
  ['IMAGE_PROHIBITED_CONTENT', 'content-filter'],
  ['IMAGE_RECITATION', 'content-filter'],
  ['MODEL_ARMOR', 'content-filter'],
  ['MALFORMED_FUNCTION_CALL', 'error'],
  ['guardrail_intervened', 'content-filter'],
  ['content_filtered', 'content-filter'],
  ['malformed_model_output', 'error'],
  ['malformed_tool_use', 'error'],
  ['model_length', 'length'],
  ['error', 'error'],
  ['insufficient_system_resource', 'error'],
  ['sensitive', 'content-filter'],
  ['network_error', 'error'],
  ['COMPLETE', 'stop'],
  ['TOOL_CALL', 'tool-calls'],
  ['TIMEOUT', 'error'],
  ['ERROR_TOXIC', 'content-filter'],
  ['ERROR_LIMIT', 'length'],
  ['eos', 'stop'],
  ['eos_token', 'stop'],
  ['abort', 'error'],
];

describe('each line of the table of finish reasons', () => {
  it.each(finishReasonLines)('$word has a case that fails without it', ({ word }) => {
    const own = cases.filter(([raw]) => raw.toLowerCase() === word);
    expect(own).not.toEqual([]);
    const without = createReadFinish(finishReasonLines.filter((line) => line.word !== word));
    for (const [raw, finish] of own) {
      expect(readFinish(raw)).toBe(finish);
      expect(without(raw)).toBe('other');
    }
  });

  it('is a unique word, with a source', () => {
    const words = finishReasonLines.map(({ word }) => word);
    expect(new Set(words).size).toBe(words.length);
    for (const { word, vendor, source } of finishReasonLines) {
      expect(word).toMatch(/^[a-z_]+$/);
      expect(vendor).not.toBe('');
      expect(source).toMatch(/^https:\/\/\S+$|^[\w.-]+\/[\w.-]+#\d+$/);
    }
  });

  it.each(cases)('%s is %s on every wire', (raw, finish) => {
    const text = { type: 'text', text: 'hi' };
    const chat = { choices: [{ message: { content: 'hi' }, finish_reason: raw }] };
    expect(readMessage(chat, { messages: [] })).toMatchObject({ finish, finishRaw: raw });
    const message = { content: [text], stop_reason: raw };
    expect(readAnthropic(message, false, 0)).toMatchObject({ finish, finishRaw: raw });
    const incomplete_details = { reason: raw };
    const response = { status: 'incomplete', incomplete_details, output: ['hi'] };
    expect(readOutput(response, false, 0)).toMatchObject({ finish, finishRaw: raw });
  });
});

describe('a word', () => {
  it.each([
    ['max-tokens', 'length'],
    ['Content_Filter: PROHIBITED_CONTENT', 'content-filter'],
    ['something_new', 'other'],
    ['', 'other'],
    ['constructor', 'other'],
    ['7', 'other'],
    ['x'.repeat(100_000), 'other'],
  ])('%.40s is %s', (raw, finish) => {
    expect(readFinish(raw)).toBe(finish);
  });

  it('that is missing is none', () => {
    expect(readFinish(undefined)).toBe('other');
  });
});
