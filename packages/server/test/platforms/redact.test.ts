import { describe, expect, it } from 'vitest';
import { withoutQuotes } from '../../src/platforms/redaction/quotes.ts';
import { createRedact } from '../../src/platforms/redaction/redact.ts';

const secret = 'tr0ub4dor&3-Correct_Horse/Battery+Staple';
const base64 = (text: string) => Buffer.from(text).toString('base64');

/** Whether twelve characters of a secret are in a text, spaced or not. */
function holdsPiece(text: string, of: string): boolean {
  const bare = text.replace(/\s/g, '');
  for (let start = 0; start + 12 <= of.length; start++) {
    if (bare.includes(of.slice(start, start + 12))) return true;
  }
  return false;
}

describe('a known secret is not shown', () => {
  const redact = createRedact([secret, 'of-another-platform']);
  const rows: readonly (readonly [string, string])[] = [
    ['as it is', `Incorrect API key provided: ${secret}.`],
    ['its first 30 characters', `key ${secret.slice(0, 30)} is wrong`],
    ['its last 12', `…${secret.slice(-12)}`],
    ['12 from its middle', secret.slice(9, 21)],
    ['spaced out', [...secret].join(' ')],
    ['over two lines', `${secret.slice(0, 9)}\n${secret.slice(9)}`],
    ['in capitals', secret.toUpperCase()],
    ['with its slashes escaped', secret.replaceAll('/', '\\/')],
    ['another platform’s', 'key of-another-platform is wrong'],
  ];
  it.each(rows)('%s', (_, text) => {
    const shown = redact(`before ${text} after`);
    expect(shown).toContain('[redacted]');
    expect(shown).toMatch(/^before .* after$/s);
    expect(holdsPiece(shown.toLowerCase(), secret.toLowerCase())).toBe(false);
  });

  it.each([0, 1, 2, 3, 4, 5])('as base64, %d characters within another text', (before) => {
    const encoded = base64(`${'x'.repeat(before)}${secret}:and more`);
    const shown = redact(`authorization ${encoded}`);
    expect(shown).toContain('[redacted]');
    // At the ends, a few characters that also encode its neighbors may stay.
    for (let start = 0; start + 20 <= encoded.length - 14; start++) {
      expect(shown).not.toContain(encoded.slice(start, start + 20));
    }
    expect(redact(encoded.replaceAll('+', '-').replaceAll('/', '_'))).toContain('[redacted]');
  });

  it('a changing secret, with its current value', () => {
    let now: string | undefined;
    const following = createRedact([], () => now);
    expect(following(secret)).toBe(secret);
    now = secret;
    expect(following(`a ${secret} b`)).toBe('a [redacted] b');
    now = 'the-next-one-of-them';
    expect(following(`a ${now.slice(2, 16)} b`)).toBe('a [redacted] b');
    expect(following(secret)).toBe(secret);
  });

  it('and other words stay unchanged', () => {
    const text = 'Rate limit reached for gpt-5 in organization org-1:\n "Battery" is no Horse.';
    expect(redact(text)).toBe(text);
  });
});

describe('a quote of a request is not shown', () => {
  const prompt = 'My name is Ada,\n  and "Paris" is where I was\tborn in 1815.';
  const request = {
    prompt: [{ role: 'user', content: [{ type: 'text', text: prompt }] }],
    tools: [{ name: 'a_tool_that_looks_after_the_weather', inputSchema: { type: 'object' } }],
  };
  const quote = (text: string) => withoutQuotes(`Invalid prompt: ${text}!`, request);
  const rows: readonly (readonly [string, string])[] = [
    ['the whole', prompt],
    ['24 characters of it', 'name is Ada, and "Paris" is'],
    ['as JSON', JSON.stringify(prompt)],
    ['as JSON in JSON', JSON.stringify(JSON.stringify(prompt))],
    ['in capitals', prompt.toUpperCase()],
    ['on one line', prompt.replace(/\s+/g, ' ')],
    ['a tool’s name', 'a_tool_that_looks_after_the_weather'],
  ];
  it.each(rows)('%s', (_, text) => {
    const shown = quote(text);
    expect(shown).toMatch(/^Invalid prompt: .{0,4}\[…\].{0,6}!$/s);
  });

  it('wherever it is, and however often', () => {
    const shown = quote(`${prompt} is not ${prompt}`);
    expect(shown).toBe('Invalid prompt: […] is not […]!');
  });

  it('and a shorter part may stay: anybody may write it', () => {
    expect(quote('the name is Ada')).toBe('Invalid prompt: the name is Ada!');
    expect(withoutQuotes('', request)).toBe('');
  });

  it('in as many steps as the request has characters', () => {
    const long = { text: 'lorem ipsum dolor sit amet '.repeat(150_000) };
    const shown = withoutQuotes(`You said: ${'ipsum dolor sit amet lorem '.repeat(10)}.`, long);
    expect(shown).toMatch(/^You said: \[…\] ?\.$/);
  });

  it('in no more steps where both repeat one letter', () => {
    const counts = { covered: 0 };
    const text = 'a'.repeat(16_000);
    expect(withoutQuotes(text, { text: 'a'.repeat(200_000) }, counts)).toBe('[…]');
    expect(counts.covered).toBe(16_000 - 15);
  });
});
