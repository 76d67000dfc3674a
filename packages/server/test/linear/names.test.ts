import { afterEach, expect, test, vi } from 'vitest';
import { readAnswerJson } from '../../src/calls/model-operations/answer-json.ts';

afterEach(() => vi.restoreAllMocks());

test('an object of many names is read without lists of its values or entries', () => {
  const lists = [vi.spyOn(Object, 'values'), vi.spyOn(Object, 'entries')];
  const members = Array.from({ length: 1_000 }, (_, index) => `"a${index}":[1,{"b":"c"}]`);
  expect(readAnswerJson(`{${members.join(',')}}`)?.values).toBe(1 + 4 * members.length);
  expect(lists.flatMap(({ mock }) => mock.calls)).toEqual([]);
});
