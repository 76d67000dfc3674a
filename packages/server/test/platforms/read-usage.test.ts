import { expect, it } from 'vitest';
import { readUsage } from '../../src/platforms/openai-chat/read-usage.ts';

const missing = undefined;

/** Prompt, cached, cache write, completion, reasoning as written; and as read, in that order. */
const rows: readonly (readonly [readonly unknown[], readonly (number | undefined)[]])[] = [
  [
    [10, 4, 2, 7, 3],
    [10, 4, 2, 7, 3],
  ],
  [
    [10, 10, 0, 7, 7],
    [10, 10, 0, 7, 7],
  ],
  [
    [0, 0, 0, 0, 0],
    [0, 0, 0, 0, 0],
  ],
  [
    [10, null, 'x', 7, 1.5],
    [10, missing, missing, 7, missing],
  ],
  [
    [10, 11, 0, 7, 3],
    [missing, missing, missing, 7, 3],
  ],
  [
    [10, 6, 6, 7, 3],
    [missing, missing, missing, 7, 3],
  ],
  [
    [10, 4, 2, 7, 8],
    [10, 4, 2, missing, missing],
  ],
  [
    [-1, 0, 0, 2 ** 53, 0],
    [missing, 0, 0, missing, 0],
  ],
  [
    [Number.MAX_SAFE_INTEGER, missing, missing, 1, missing],
    [Number.MAX_SAFE_INTEGER, missing, missing, 1, missing],
  ],
];

it.each(rows)('%j is read as %j', (written, read) => {
  const [prompt, cached, cacheWrite, completion, reasoning] = written;
  const usage = {
    prompt_tokens: prompt,
    completion_tokens: completion,
    prompt_tokens_details: { cached_tokens: cached, cache_write_tokens: cacheWrite },
    completion_tokens_details: { reasoning_tokens: reasoning },
  };
  const counts = readUsage({ usage });
  expect([
    counts.inputTokens,
    counts.cachedInputTokens,
    counts.cacheWriteInputTokens,
    counts.outputTokens,
    counts.reasoningTokens,
  ]).toEqual(read);
});

it.each([
  [undefined],
  [null],
  ['text'],
  [[]],
  [{ usage: [] }],
  [{ usage: { prompt_tokens_details: 1 } }],
])('nothing is read from %j', (body) => {
  expect(Object.values(readUsage(body))).toEqual(Array(5).fill(undefined));
});
