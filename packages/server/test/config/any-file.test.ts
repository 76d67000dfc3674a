import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { loadConfig } from '../../src/config/load-config.ts';

const sample = readFileSync(new URL('../../../../gateway.yaml', import.meta.url), 'utf8');

function outcomeOf(text: string): 'config' | 'problems' {
  const loaded = loadConfig({ file: '/x', environment: {}, readFile: () => text });
  if ('config' in loaded) return 'config';
  expect(loaded.problems.length).toBeGreaterThan(0);
  for (const problem of loaded.problems) expect(problem).not.toContain('\n');
  return 'problems';
}

const scrap = fc.oneof(
  fc.string({ maxLength: 6, unit: 'binary' }),
  fc.constantFrom(
    '*a',
    '&a',
    '!!map',
    '? ',
    '- ',
    '[',
    ']',
    '{',
    '}',
    ': ',
    '\n',
    '"',
    '|',
    '>',
    '%',
  ),
);

describe('any file', () => {
  test('with a scrap in it is a configuration or a list of problems, never a crash', () => {
    const place = fc.nat({ max: sample.length });
    fc.assert(
      fc.property(place, fc.nat({ max: 20 }), scrap, (start, dropped, text) => {
        outcomeOf(sample.slice(0, start) + text + sample.slice(start + dropped));
      }),
      { numRuns: 400 },
    );
  });

  test('of noise has problems', () => {
    const noise = fc.array(scrap, { maxLength: 30 }).map((scraps) => scraps.join(''));
    fc.assert(
      fc.property(noise, (text) => outcomeOf(text) === 'problems'),
      { numRuns: 400 },
    );
  });
});
