import { expect, test } from 'vitest';
import { createRareErrorWarning, createRareWarning } from '../../src/lib/rare-warning.ts';

function watched() {
  let nowMs = 0;
  const lines: [object, string][] = [];
  const parts = {
    clock: { monotonic: () => nowMs },
    log: { warn: (fields: object, text: string) => void lines.push([fields, text]) },
  };
  const pass = (ms: number) => {
    nowMs += ms;
  };
  return { parts, lines, pass };
}

test('a repeated warning is one line a minute, with the count of the others', () => {
  const { parts, lines, pass } = watched();
  const warn = createRareWarning(parts, 'it failed');
  for (let time = 0; time < 720; time++) warn({ time });
  pass(59_999);
  warn({ time: 720 });
  expect(lines).toEqual([[{ time: 0 }, 'it failed']]);
  pass(1);
  warn({ time: 721 });
  expect(lines.slice(1)).toEqual([[{ time: 721, repeated: 720 }, 'it failed']]);
  pass(60_000);
  warn({ time: 722 });
  expect(lines.slice(2)).toEqual([[{ time: 722 }, 'it failed']]);
});

test('two causes do not hide each other', () => {
  const { parts, lines } = watched();
  createRareWarning(parts, 'one')({});
  createRareErrorWarning(parts, 'other')(new Error('x'));
  expect(lines).toEqual([
    [{}, 'one'],
    [{ error: 'Error: x' }, 'other'],
  ]);
});
