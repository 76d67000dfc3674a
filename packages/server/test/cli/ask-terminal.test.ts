import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { askTerminal } from '../../src/cli/ask-terminal.ts';

test.each([
  ['a line', 'acme\n', 'acme'],
  ['half a line, and leaves', 'acme', ''],
  ['nothing, and leaves', '', ''],
  ['an empty line', '\n', ''],
])('a person types %s', async (_what, typed, answer) => {
  const input = new PassThrough();
  const output = new PassThrough();
  const asked = askTerminal({ input, output }, 'Go on? ');
  input.end(typed);
  expect(await asked).toBe(answer);
  output.end();
  expect(await text(output)).toBe('Go on? ');
});
