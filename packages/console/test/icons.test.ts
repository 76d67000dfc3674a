import { expect, test } from 'vitest';
import { pathOf } from '../scripts/icon-plugin.ts';

test('an icon is the paths of its image', () => {
  const svg = '<svg viewBox="0 0 24 24"><path stroke="x" d="M1 2"/><path d="M3 4"/></svg>';
  expect(pathOf(svg, 'a.svg')).toBe('M1 2M3 4');
});

test.each(['<svg></svg>', '<svg><path d="M1 2"/><circle r="2"/></svg>'])(
  'the image %s fails the build, since a part of it would be lost',
  (svg) => expect(() => pathOf(svg, 'a.svg')).toThrow('a.svg is not made of paths'),
);
