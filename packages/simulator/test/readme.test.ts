import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { simulatorModels } from '../src/index.ts';
import { countingRule } from '../src/model/usage.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

test('the README lists every model and its behavior', () => {
  const rows = readme.matchAll(/^\| `(sim-[^`]+)` *\| (.*?) *\|$/gm);
  const listed = [...rows].map(([, id, does]) => ({ id, does }));
  expect(listed).toEqual(simulatorModels.map(({ id, does }) => ({ id, does })));
});

test('the README has every constant of the counting rule', () => {
  for (const value of Object.values(countingRule)) {
    expect(readme).toContain(`**${value.toLocaleString('en-US')}**`);
  }
});
