import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { messagesSubject } from '../support/anthropic-message.ts';
import { chatSubject } from '../support/chat-completion.ts';
import { attemptWhole, followAttempt } from '../support/follow-attempt.ts';
import { responsesSubject } from '../support/openai-response.ts';
import { bytesOf, byUnits, type WireEvent } from '../support/stream-events.ts';
import type { SurfaceSubject } from '../support/surface-subject.ts';

type Json = Readonly<Record<string, unknown>>;

async function countsOf(subject: SurfaceSubject, events: readonly WireEvent[]) {
  const { outcome } = await followAttempt(subject, { pieces: [bytesOf(events)] });
  return { kind: outcome.kind, ...outcome.usage };
}

const missing = { kind: 'answered', inputTokens: undefined, outputTokens: undefined };
const seven = { kind: 'answered', inputTokens: 7, outputTokens: 2 };

const chunk = (content: string | undefined, fields: Json = {}, finish: string | null = null) => ({
  data: {
    choices: content === undefined ? [] : [{ delta: { content }, finish_reason: finish }],
    ...fields,
  },
});
const counts = (prompt: unknown, completion: unknown) => ({
  usage: { prompt_tokens: prompt, completion_tokens: completion },
});
const end = { data: '[DONE]' };

const golden = new URL('../golden/usage/', import.meta.url);

describe('a vendor’s way of counting', () => {
  it.each(readdirSync(golden).sort())('%s, wherever the counts are', async (file) => {
    const { usage } = JSON.parse(readFileSync(new URL(file, golden), 'utf8'));
    const answer = { ...chatSubject.answer({ text: 'Hi' }), usage };
    const whole = await attemptWhole(chatSubject, answer);
    const ways: readonly (readonly WireEvent[])[] = [
      chatSubject.events(answer, byUnits),
      [chunk('Hi'), chunk('', { usage }, 'stop'), end],
      [chunk('H', { usage }), chunk('i', { usage }), chunk('', { usage }, 'stop'), end],
      [chunk('Hi', {}, 'stop'), { data: { usage } }, end],
      [chunk('Hi', { usage }, 'stop')],
      [chunk('Hi', {}, 'stop'), { data: { choices: null, usage } }],
    ];
    for (const events of ways) {
      expect(await countsOf(chatSubject, events)).toEqual({ kind: 'answered', ...whole.usage });
    }
  });
});

describe('counts of chat completions', () => {
  const rows: readonly (readonly [string, readonly WireEvent[], Json])[] = [
    ['that grow: the last', [chunk('a', counts(7, 1)), chunk('b', counts(7, 2), 'stop')], seven],
    ['0 and 0 at first', [chunk('a', counts(0, 0)), chunk('b', counts(7, 2), 'stop')], seven],
    ['0 and 0 at first, and none then', [chunk('', counts(0, 0)), chunk('a', {}, 'stop')], missing],
    ['before the last content', [chunk('a', counts(7, 1)), chunk('b', {}, 'stop')], missing],
    ['that are text', [chunk('a', counts('7', '2'), 'stop')], missing],
    [
      'valid, then text',
      [chunk('a', counts(7, 2), 'stop'), chunk(undefined, counts('7', '2'))],
      seven,
    ],
    [
      'valid, then half',
      [chunk('a', counts(7, 2), 'stop'), chunk(undefined, counts(9, null))],
      { ...seven, inputTokens: 9, doubts: [] },
    ],
    [
      'valid, then null',
      [chunk('a', counts(7, 2), 'stop'), chunk(undefined, { usage: null })],
      seven,
    ],
    ['half of them', [chunk('a', counts(7, undefined), 'stop')], { ...missing, inputTokens: 7 }],
    ['none', [chunk('a', {}, 'stop')], missing],
    [
      'before a tool call',
      [
        chunk('', counts(7, 1)),
        {
          data: {
            choices: [
              { delta: { tool_calls: [{ id: 'a', function: { name: 'a', arguments: '{}' } }] } },
            ],
          },
        },
        chunk('', {}, 'tool_calls'),
      ],
      missing,
    ],
  ];
  it.each(rows)('%s', async (_, events, expected) => {
    expect(await countsOf(chatSubject, [...events, end])).toMatchObject(expected);
  });
});

describe('counts of messages', () => {
  const start = (usage: Json) => ({ data: { type: 'message_start', message: { usage } } });
  const text = {
    data: { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'a' } },
  };
  const delta = (usage: unknown, reason: string | null = 'end_turn') => ({
    data: { type: 'message_delta', delta: { stop_reason: reason }, usage },
  });
  const stop = { data: { type: 'message_stop' } };
  const begun = start({ input_tokens: 5, cache_read_input_tokens: 2, output_tokens: 1 });
  const rows: readonly (readonly [string, readonly WireEvent[], Json])[] = [
    ['of the first and the last', [begun, text, delta({ output_tokens: 2 }), stop], seven],
    [
      'the last of several',
      [begun, text, delta({ output_tokens: 1 }, null), delta({ output_tokens: 2 }), stop],
      seven,
    ],
    [
      'all in the last',
      [start({ input_tokens: 1 }), text, delta({ input_tokens: 7, output_tokens: 2 }), stop],
      seven,
    ],
    [
      'null in the last',
      [begun, text, delta({ input_tokens: null, output_tokens: 2 }), stop],
      seven,
    ],
    ['without a last', [begun, text, stop], missing],
    ['a last without any', [begun, text, delta(undefined), stop], missing],
    ['a last with text', [begun, text, delta({ output_tokens: '2' }), stop], missing],
  ];
  it.each(rows)('%s', async (_, events, expected) => {
    expect(await countsOf(messagesSubject, events)).toMatchObject(expected);
  });
});

describe('counts of responses', () => {
  it.each(['stop', 'length', 'content-filter'] as const)(
    'of one that ends by %s',
    async (finish) => {
      const answer = responsesSubject.answer({ finish, usage: { input: 7, output: 2 } });
      expect(
        await countsOf(responsesSubject, responsesSubject.events(answer, byUnits)),
      ).toMatchObject(seven);
    },
  );

  it('include the output of its items where the last event omits it', async () => {
    const answer = responsesSubject.answer({ text: 'Hi', usage: { input: 7, output: 2 } });
    const events = responsesSubject.events(answer, byUnits);
    const bare = { data: { type: 'response.completed', response: { ...answer, output: [] } } };
    const left = await followAttempt(responsesSubject, {
      pieces: [bytesOf([...events.slice(0, -1), bare])],
    });
    expect(left.outcome).toEqual(await attemptWhole(responsesSubject, answer));
  });
});
