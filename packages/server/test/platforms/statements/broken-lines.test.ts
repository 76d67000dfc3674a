import { expect, test } from 'vitest';
import { boundOf } from '../../../src/calls/admission/bound.ts';
import { bookAttempt } from '../../../src/calls/attempts/attempt-record.ts';
import type { Bound } from '../../../src/calls/model/candidate.ts';
import type { CatalogModel } from '../../../src/catalog/catalog.ts';
import { readStatement } from '../../../src/platforms/evidence/evidence.ts';
import { readUsage } from '../../../src/platforms/evidence/read-usage.ts';
import { costLines } from '../../../src/platforms/statements/costs.ts';
import { countLines } from '../../../src/platforms/statements/counts.ts';
import { numberLines } from '../../../src/platforms/statements/numbers.ts';
import { termLines } from '../../../src/platforms/statements/terms.ts';
import { nested } from './removal.ts';

const price = {
  ...{ inputPicoUsd: 100n, cachedInputPicoUsd: 10n, cacheWriteInputPicoUsd: 125n },
  ...{ outputPicoUsd: 500n, version: 'v' },
};
const model: CatalogModel = {
  ...{ id: 'm', platform: 'p', upstreamModel: 'm', structuredOutput: 'json-schema' },
  ...{ images: false, imageTokensMax: 1, isListed: true, contextTokens: 50_000, price },
};
const bound: Bound = boundOf(
  {
    ...{ bodyBytes: 1_000, grownBytes: 0, imageBytes: 0, images: 0, schemaBytes: 0 },
    ...{ hasTools: false, maxTokens: 50 },
  },
  model,
);
const most = 50_000n * 125n + 50n * 500n;

function book(text: string) {
  const usage = readStatement(JSON.parse(text), readUsage, text);
  const content = [{ type: 'text', text: 'Hi.' }] as const;
  const answered = { kind: 'answered', content, finish: 'stop', finishRaw: 'stop' } as const;
  const outcome = { ...answered, usage, requestId: undefined };
  return bookAttempt({ outcome, candidate: { model, bound }, startedAt: 0, tookMs: 0 });
}

const wrong = [-5, 2 ** 60, 1e300, 'x', '5', [5], { value: 5 }, true, '1e9', [[5]], 5.5];
const whole = { prompt_tokens: 100, completion_tokens: 20 };

test.each(countLines.map(({ path }) => path))('%s is never exact where it is wrong', (path) => {
  const isWhole = path in whole;
  for (const value of wrong) {
    const usage = isWhole ? { ...whole, [path]: value } : { ...whole, ...nested(path, value) };
    const { basis, cost } = book(JSON.stringify({ usage }));
    expect([value, basis]).toEqual([value, 'estimated']);
    expect(cost).toBeGreaterThanOrEqual(100n * 10n + 20n * 500n);
    expect(cost).toBeLessThanOrEqual(most);
  }
});

test.each([...costLines, ...numberLines].map(({ path }) => path.replace('*', 'name')))(
  '%s does no harm where it is wrong',
  (path) => {
    for (const value of [...wrong, null, '', 0, 0.5, 5, 1e-7]) {
      const { cost } = book(JSON.stringify({ usage: { ...whole, ...nested(path, value) } }));
      expect(cost).toBeGreaterThanOrEqual(100n * 100n + 20n * 500n);
      expect(cost).toBeLessThanOrEqual(most);
    }
  },
);

test.each(termLines.map(({ field }) => field))('%s is never exact where it is wrong', (field) => {
  for (const value of wrong) {
    expect(book(JSON.stringify({ usage: whole, [field]: value })).basis).toBe('estimated');
    expect(book(JSON.stringify({ usage: { ...whole, [field]: value } })).basis).toBe('estimated');
  }
});

test.each([{ value: 5 }, { value: 0.5 }, { input_cost: 0.5 }, [0.5]])(
  'a cost is not exact where it is %j',
  (cost) => {
    expect(book(JSON.stringify({ usage: { ...whole, cost } })).basis).toBe('estimated');
    const usage = { ...whole, estimated_cost: cost };
    expect(book(JSON.stringify({ usage })).basis).toBe('estimated');
  },
);

test.each(termLines.map(({ field }) => field))('%s given twice is not exact', (field) => {
  const [usage, last] = [{ usage: whole }, `"${field}":"standard"`];
  const text = JSON.stringify({ [field]: 'x', ...usage });
  for (const twice of [text.replace('{', `{${last},`), text.replace(/}$/, `,${last}}`)])
    expect(book(twice)).toMatchObject({ basis: 'estimated' });
  const nothing = text.replace(/}$/, `,"${field}":null}`);
  expect(book(nothing)).toMatchObject({ basis: 'estimated' });
});

test.each(countLines.map(({ path }) => path))('%s given twice is not an exact count', (path) => {
  const name = path.split('.').at(-1) ?? '';
  const usage = path in whole ? whole : { ...whole, ...nested(path, 5) };
  const text = JSON.stringify({ usage }).replace(`"${name}":`, `"${name}":7,"${name}":`);
  expect(book(text)).toMatchObject({ basis: 'estimated' });
});

test('the length of names and numbers is limited', () => {
  const names = Array.from({ length: 1_000 }, (_, index) => [`n\u00e4me ${index}`, index + 1]);
  const usage = { ...whole, ...Object.fromEntries(names), ['x'.repeat(200)]: 7 };
  const { doubts } = book(JSON.stringify({ usage }));
  expect(doubts.length).toBeLessThanOrEqual(32);
  for (const { name } of doubts) expect(name).toMatch(/^[\w.]{1,64}$/);
});
