import { expect, it } from 'vitest';
import { readUsage } from '../../src/platforms/evidence/read-usage.ts';
import { reportedUsage } from '../../src/platforms/evidence/reported-usage.ts';
import type { ReportedUsage } from '../../src/platforms/model/port.ts';

const missing = undefined;

function doubtOf({ doubts }: ReportedUsage): string {
  return doubts[0]?.reason ?? 'exact';
}

/** Prompt, cached, cache write, completion, reasoning as written; and as read, in that order. */
const rows: readonly (readonly [readonly unknown[], readonly unknown[]])[] = [
  [
    [10, 4, 2, 7, 3],
    [10, 4, 2, 7, 3, 'exact'],
  ],
  [
    [10, 10, 0, 7, 7],
    [10, 10, 0, 7, 7, 'exact'],
  ],
  [
    [0, 0, 0, 0, 0],
    [0, 0, 0, 0, 0, 'exact'],
  ],
  [
    [10, null, 'x', 7, 1.5],
    [10, missing, missing, 7, missing, 'impossible-counts'],
  ],
  [
    [10, 11, 0, 7, 3],
    [21, 11, 0, 7, 3, 'impossible-counts'],
  ],
  [
    [10, 6, 6, 7, 3],
    [22, 6, 6, 7, 3, 'impossible-counts'],
  ],
  [
    [10, 4, 2, 7, 8],
    [10, 4, 2, 15, 8, 'impossible-counts'],
  ],
  [
    [-1, 0, 0, 2 ** 53, 0],
    [missing, 0, 0, missing, 0, 'exact'],
  ],
  [
    [Number.MAX_SAFE_INTEGER, missing, missing, 1, missing],
    [Number.MAX_SAFE_INTEGER, missing, missing, 1, missing, 'exact'],
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
    doubtOf(counts),
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
  const { doubts: _, ...counts } = readUsage(body);
  expect(Object.values(counts)).toEqual(Array(5).fill(undefined));
});

/** Input, cached, output, reasoning, total; and input, output, the first doubt as read. */
const totals: readonly (readonly [
  string,
  readonly (number | undefined)[],
  readonly (number | string | undefined)[],
])[] = [
  ['no total', [20, 0, 10, 5, missing], [20, 10, 'exact']],
  ['a total that fits', [20, 0, 10, 5, 30], [20, 10, 'exact']],
  ['a total below the counts', [20, 0, 10, 5, 12], [20, 10, 'contradicting-counts']],
  ['reasoning left out of the output', [20, 0, 90, 80, 190], [20, 170, 'exact']],
  ['more reasoning than output', [20, 0, 10, 500, 530], [20, 510, 'exact']],
  ['a surplus that nothing explains', [20, 0, 10, missing, 130], [20, 110, 'unexplained-total']],
  ['a surplus beyond the reasoning', [20, 0, 10, 40, 130], [20, 110, 'unexplained-total']],
  ['a surplus below the reasoning', [20, 0, 10, 500, 130], [20, 610, 'impossible-counts']],
  ['cached tokens left out of the input', [20, 100, 10, 0, 130], [120, 10, 'exact']],
  ['cached tokens left out, and more', [20, 100, 10, 0, 140], [120, 120, 'impossible-counts']],
  ['no output', [20, 0, missing, missing, 130], [20, 110, 'unexplained-total']],
  ['no input', [missing, 0, 10, missing, 130], [missing, 10, 'exact']],
];

it.each(totals)('%s: %j is read as %j', (_what, stated, read) => {
  const [inputTokens, cachedInputTokens, outputTokens, reasoningTokens, totalTokens] = stated;
  const cacheWriteInputTokens = 0;
  const counts = { inputTokens, cachedInputTokens, cacheWriteInputTokens };
  const usage = reportedUsage({ ...counts, outputTokens, reasoningTokens, totalTokens });
  expect([usage.inputTokens, usage.outputTokens, doubtOf(usage)]).toEqual(read);
});
