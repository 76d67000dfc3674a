import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { run } from '../harness/process.ts';
import { callPath } from '../packages/server/src/compose/call-path.ts';
import { answerFaults } from '../packages/server/test/faults/upstream/answer-faults.ts';
import { socketFaults } from '../packages/server/test/faults/upstream/socket-faults.ts';
import { statusFaults } from '../packages/server/test/faults/upstream/status-faults.ts';
import { readRepositoryFile, rootFolder } from './testing/markdown.ts';

/** The numbers of the text that a pattern finds. */
function numbersIn(text: string, pattern: RegExp): readonly number[] {
  return (pattern.exec(text) ?? []).slice(1).map(Number);
}

test('docs/architecture.md shows how long the path of a call is, within 5 %', async () => {
  const script = join(rootFolder, 'scripts/call-path.ts');
  const stdout = await run(process.execPath, [script]);
  const counted = numbersIn(
    stdout,
    /socket: (\d+)\nentered: (\d+) functions, (\d+) times\nchanges of file: (\d+), of room: (\d+)/,
  );
  const shown = numbersIn(
    readRepositoryFile('docs/architecture.md'),
    /(\d+) functions are on the stack\D*?enters (\d+) functions (\d+) times\D*?file (\d+) times and the room (\d+) times/,
  );
  expect(stdout.split('\n\n')[0]?.split('\n')).toEqual(Object.keys(callPath));
  expect(counted).toHaveLength(5);
  expect(shown).toHaveLength(5);
  for (const [index, count] of counted.entries()) {
    expect(Math.abs((shown[index] ?? 0) / count - 1)).toBeLessThanOrEqual(0.05);
  }
});

describe('the faults of platforms', () => {
  const faults = [...socketFaults, ...statusFaults, ...answerFaults].length;

  test('are as many as docs/proofs.md and docs/reliability.md state', () => {
    // Each fault on all attempts and on the first one, and 429 before and after its minute.
    const cases = `${2 * faults + 2} cases for each operation`;
    const proofs = readRepositoryFile('docs/proofs.md');
    expect(proofs).toContain(`: ${faults} ways to fail`);
    expect(proofs).toContain(cases);
    const reliability = readRepositoryFile('docs/reliability.md');
    expect(reliability).toContain(`- ${faults} faults, `);
    expect(reliability).toContain(cases);
  });
});
