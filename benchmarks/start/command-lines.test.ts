import { expect, test } from 'vitest';
import { commandLines, notMeasured } from './command-lines.ts';
import { readLeaves } from './leaves.ts';

test('every command is measured, or has a reason against it', async () => {
  const listed = [...Object.keys(commandLines), ...Object.keys(notMeasured)];
  expect(listed.toSorted()).toEqual((await readLeaves()).toSorted());
});
