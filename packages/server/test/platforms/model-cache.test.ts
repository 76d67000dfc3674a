import { expect, it } from 'vitest';
import { createModelCache } from '../../src/platforms/wires/model-cache.ts';

it('keeps the most recently used, and no more than its size', () => {
  const made: string[] = [];
  const models = createModelCache((name) => {
    made.push(name);
    return { name };
  }, 2);
  for (const name of ['a', 'b', 'a', 'c', 'a', 'b']) expect(models(name).name).toBe(name);
  expect(made).toEqual(['a', 'b', 'c', 'b']);
});
