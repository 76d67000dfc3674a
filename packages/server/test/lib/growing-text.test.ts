import { expect, test } from 'vitest';
import { GrowingText } from '../../src/lib/growing-text.ts';

test('is all its pieces in their order, whenever it is read', () => {
  const text = new GrowingText();
  let expected = '';
  for (let at = 0; at < 1_000; at++) {
    const piece = `${at} €,`;
    text.add(piece);
    expected += piece;
    if (at % 37 === 0) expect(text.whole()).toBe(expected);
  }
  expect(text.whole()).toBe(expected);
  expect(new GrowingText().whole()).toBe('');
});
