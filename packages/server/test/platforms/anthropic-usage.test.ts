import { expect, it } from 'vitest';
import { readUsage } from '../../src/platforms/evidence/read-usage.ts';

const missing = undefined;
const most = Number.MAX_SAFE_INTEGER;

/** Input, cache read, cache creation, output, thinking as written; and as read, in that order. */
const rows: readonly (readonly [readonly unknown[], readonly (number | undefined)[]])[] = [
  [
    [10, 4, 2, 7, 3],
    [16, 4, 2, 7, 3],
  ],
  [
    [0, 0, 0, 0, 0],
    [0, 0, 0, 0, 0],
  ],
  [
    [10, missing, missing, 7, missing],
    [10, missing, missing, 7, missing],
  ],
  [
    [10, null, 5, 7, null],
    [15, missing, 5, 7, missing],
  ],
  [
    [missing, 4, 2, 7, 3],
    [missing, missing, missing, 7, 3],
  ],
  [
    [10, '4', 2, 7, 3],
    [missing, missing, missing, 7, 3],
  ],
  [
    [10, 4, -2, 7, 3],
    [missing, missing, missing, 7, 3],
  ],
  [
    [10, 4, 2, 7, 8],
    [16, 4, 2, 15, 8],
  ],
  [
    [most, 1, 0, 2 ** 53, 0],
    [missing, missing, missing, missing, 0],
  ],
];

it.each(rows)('%j is read as %j', (written, read) => {
  const [input, cached, cacheWrite, output, thinking] = written;
  const usage = {
    input_tokens: input,
    cache_read_input_tokens: cached,
    cache_creation_input_tokens: cacheWrite,
    output_tokens: output,
    output_tokens_details: { thinking_tokens: thinking },
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

it.each([[undefined], [null], ['text'], [[]], [{ usage: [] }], [{ usage: { input_tokens: {} } }]])(
  'nothing is read from %j',
  (body) => {
    const { doubts: _, ...counts } = readUsage(body);
    expect(Object.values(counts)).toEqual(Array(5).fill(undefined));
  },
);
