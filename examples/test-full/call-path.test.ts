import { expect, test } from 'vitest';
import { measureCallPath } from '../../scripts/call-path/measure.ts';
import { readRepositoryFile } from '../testing/markdown.ts';

const sentence =
  /(\d+) functions stand on the stack\. On the main thread a chat enters (\d+) functions (\d+) times\. It changes the file (\d+) times and the room (\d+) times/;

test("the figures of a call's path in docs/architecture.md are within 5 % of today's", async () => {
  const [, ...figures] = sentence.exec(readRepositoryFile('docs/architecture.md')) ?? [];
  const written = figures.map(Number);
  const { stack, entered, functions, fileChanges, roomChanges } = await measureCallPath();
  const measured = [stack.length, functions, entered.length, fileChanges, roomChanges];
  const near = measured.map((figure, index) => {
    const there = written[index] ?? 0;
    return Math.abs(there - figure) <= figure * 0.05 ? there : figure;
  });
  expect(written, 'npx node scripts/call-path.ts prints them').toEqual(near);
});
