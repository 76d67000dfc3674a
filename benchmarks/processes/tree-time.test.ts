import { expect, test } from 'vitest';
import { type ProcessStat, statOf, treeTicks } from './tree-time.ts';

test('the line of a process is read after its name, whatever the name contains', () => {
  const line = `42 (pg: a) b (c) S 7 42 42 0 -1 4194304 1 2 3 4 11 5 30 2 20 0 1 0`;
  expect(statOf(line)).toEqual({ parentPid: 7, ownTicks: 16, endedChildrenTicks: 32 });
});

test('a tree has its root, its children, and its ended children', () => {
  const stats = new Map<number, ProcessStat>([
    [1, { parentPid: 0, ownTicks: 1_000, endedChildrenTicks: 1_000 }],
    [7, { parentPid: 1, ownTicks: 1, endedChildrenTicks: 2 }],
    [8, { parentPid: 7, ownTicks: 4, endedChildrenTicks: 0 }],
    [9, { parentPid: 7, ownTicks: 8, endedChildrenTicks: 0 }],
  ]);
  expect(treeTicks(7, stats)).toBe(15);
  expect(() => treeTicks(10, stats)).toThrow('process 10 has ended');
});
