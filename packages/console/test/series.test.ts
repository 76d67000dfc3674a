import { expect, test } from 'vitest';
import { colorsOf, others } from '../src/parts/series.ts';

test('six names have six colors, and the others the last one', () => {
  const colors = colorsOf(['a', 'b', 'c', 'd', 'e', 'f', others]);
  expect(new Set(colors.values()).size).toBe(7);
  expect(colors.get(others)).toBe('s7');
});

test('a name has the same color in a chart of other names', () => {
  const color = colorsOf(['search', 'tutor']).get('search');
  expect(colorsOf(['search', 'batch']).get('search')).toBe(color);
});
