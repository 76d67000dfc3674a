import { describe, expect, test } from 'vitest';
import { configOf, fileWith, problemsOf } from './load.ts';

const fault = 'is a number of more than 400 characters; use fewer digits';
const options = (value: string) =>
  fileWith(
    `  other: { kind: ai-sdk, package: "@ai-sdk/mistral", options: { a: [1, ${value}] } }\n`,
  );

describe('a number of more than 400 characters', () => {
  test.each([
    ['digits', '1'.repeat(401)],
    ['very many digits', '1'.repeat(200_000)],
    ['a sign', `-${'1'.repeat(400)}`],
    ['a fraction', `0.${'1'.repeat(399)}`],
    ['an exponent', `1${'0'.repeat(400)}E+5`],
  ])('is an error with its path: %s', (_, number) => {
    expect(problemsOf(options(number))).toEqual([`platforms.other.options.a[1]: ${fault}`]);
    expect(problemsOf(fileWith(`limits: { inFlight: ${number} }\n`))).toEqual([
      `limits.inFlight: ${fault}`,
    ]);
    expect(problemsOf(`{"company": ${number}, "platforms": {"a": {"kind": "simulator"}}}`)).toEqual(
      [`company: ${fault}`],
    );
  });

  test('also fails behind an anchor', () => {
    const text = options(`&a ${'1'.repeat(401)}, *a`);
    const problems = [1, 2].map((at) => `platforms.other.options.a[${at}]: ${fault}`);
    expect(problemsOf(text)).toEqual(problems);
  });

  test.each(['inputUsdPerMillion', 'outputUsdPerMillion'])(
    'is not a valid price in quotes: %s',
    (name) => {
      const prices = { inputUsdPerMillion: '1', outputUsdPerMillion: '1', [name]: '0.' };
      const row = JSON.stringify({ id: 'a', platform: 'sandbox', ...prices });
      const number = `0.${'1'.repeat(100_000)}`;
      const file = fileWith(`models: [${row.replace('0.', number)}]\n`);
      expect(problemsOf(file)).toEqual([expect.stringContaining(`; it is "0.${'1'.repeat(58)}…"`)]);
      const given = fileWith(`models: [${row.replace('0.', `\${PRICE}`)}]\n`);
      expect(problemsOf(given, { PRICE: number })).toEqual([
        expect.stringContaining(
          `models[0].${name}: must be a price in USD per million tokens, with`,
        ),
      ]);
    },
  );

  test.each([
    ['a number of 400', '1'.repeat(400), Number('1'.repeat(400))],
    ['a text of digits', `"${'1'.repeat(500)}"`, '1'.repeat(500)],
    ['a plain text of as many', 'a'.repeat(500), 'a'.repeat(500)],
  ])('is not %s', (_, written, value) => {
    const platform = configOf(options(written)).platforms.find(({ name }) => name === 'other');
    expect(platform?.options).toEqual({ a: [1, value] });
  });
});
