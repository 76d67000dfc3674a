import { afterEach, describe, expect, it, vi } from 'vitest';
import { readAnswerJson } from '../../src/calls/model-operations/answer-json.ts';
import {
  answerBounds,
  answerBytesFor,
  answerBytesMax,
  refusalOfShape,
} from '../../src/platforms/http/transport.ts';
import { aiSdkSubject } from './support/kinds.ts';
import { answering } from './support/scripted-server.ts';
import type { SurfaceSubject } from './support/surface-subject.ts';
import { surfaces } from './support/surfaces.ts';
import { attemptAgainst, smallRequest } from './support/try-platform.ts';

afterEach(() => vi.restoreAllMocks());

const json = { 'content-type': 'application/json' };
const { depthMax, namesMax, valuesMax } = answerBounds;

const list = (length: number, item: (index: number) => string) =>
  Array.from({ length }, (_, index) => item(index)).join(',');

/** Texts that are JSON, and would block everybody during parsing. */
const intricate: readonly (readonly [string, () => string])[] = [
  ['16 MB of levels', () => '['.repeat(7_900_000) + ']'.repeat(7_900_000)],
  ['1 MB of levels', () => '['.repeat(500_000) + ']'.repeat(500_000)],
  ['900,000 names', () => `{${list(900_000, (index) => `"a${index}":1`)}}`],
  ['objects of different shapes', () => `[${list(900_000, (index) => `{"a${index}":1}`)}]`],
  ['empty objects', () => `[${list(5_000_000, () => '{}')}]`],
  ['a number of 401 digits', () => '1'.repeat(401)],
  ['a number of 500,000 digits', () => `0.${'1'.repeat(500_000)}`],
];

/** If the wire format has an unusual field, which every reader skips. */
const around = (subject: SurfaceSubject, odd: string) =>
  JSON.stringify(subject.answer({ extra: { odd: 'here' } })).replace('"here"', odd);

describe.each([...surfaces, aiSdkSubject])('a response of $name', (subject) => {
  const request = { ...smallRequest, maxTokens: 1_000_000 };
  const unusable = { kind: 'failed', code: 'SERVER', billed: 'unknown', isRetryable: false };

  it.each(intricate)('with %s is not parsed', async (_, write) => {
    const parse = vi.spyOn(JSON, 'parse');
    const body = around(subject, write());
    const outcome = await attemptAgainst(subject.platformAt, answering(200, body, json), {
      request,
    });
    const parsed = parse.mock.calls.filter(([text]) => text === body);
    parse.mockRestore();
    expect(outcome).toMatchObject({ ...unusable, status: 200, usage: undefined });
    expect(outcome).toHaveProperty('detail', expect.stringContaining('ANSWER_TOO_INTRICATE'));
    expect(parsed).toEqual([]);
  });

  it('that is an error keeps its status', async () => {
    const script = answering(429, around(subject, '['.repeat(1_000)), json);
    const outcome = await attemptAgainst(subject.platformAt, script);
    expect(outcome).toMatchObject({ code: 'THROTTLED', billed: 'no', isRetryable: true });
  });

  it('is read up to the size of the largest valid one', async () => {
    const odd = `[${'['.repeat(100)}${']'.repeat(100)},${list(450_000, () => '0.25')}]`;
    const script = answering(200, around(subject, odd), json);
    const outcome = await attemptAgainst(subject.platformAt, script, { request });
    expect(outcome).toMatchObject({ kind: 'answered' });
  });
});

describe('the scan of a response ends at the limit', () => {
  it.each(intricate)('%s', (_, write) => {
    const counts = { values: 0, names: 0 };
    expect(refusalOfShape(Buffer.from(write()), counts)?.code).toBe('ANSWER_TOO_INTRICATE');
    expect(counts.values).toBeLessThanOrEqual(valuesMax + 1);
    expect(counts.names).toBeLessThanOrEqual(namesMax + 1);
  });

  it.each(intricate)('%s that a model wrote as an object', (_, write) => {
    const text = write();
    const parse = vi.spyOn(JSON, 'parse');
    const read = readAnswerJson(text);
    const { calls } = parse.mock;
    parse.mockRestore();
    expect([read, calls]).toEqual([undefined, []]);
  });
});

describe('the length limit of a response follows the request', () => {
  const requestBytes = 200;
  const maxTokens = smallRequest.maxTokens;
  const most = answerBytesFor(maxTokens, requestBytes);

  it.each([...surfaces, aiSdkSubject])('$name is cut off above it', async (subject) => {
    const script = answering(200, around(subject, `"${'x'.repeat(most * 2)}"`), json);
    const outcome = await attemptAgainst(subject.platformAt, script);
    expect(outcome).toMatchObject({ kind: 'failed', code: 'SERVER', billed: 'unknown' });
    expect(outcome).toHaveProperty('detail', expect.stringContaining('ANSWER_TOO_LARGE'));
  });

  const honest: readonly (readonly [string, string])[] = [
    ['tokens of 128 blanks', ' '.repeat(128 * maxTokens)],
    ['tokens of eight letters, escaped', '\\u0436'.repeat(8 * maxTokens)],
    ['emoji of one token, escaped', '\\ud83d\\ude00'.repeat(maxTokens)],
    ['quotes in JSON in JSON', '\\\\\\"'.repeat(16 * maxTokens)],
  ];
  it.each(honest)('%s are not', async (_, text) => {
    for (const subject of [...surfaces, aiSdkSubject]) {
      const answer = JSON.stringify(subject.answer({ text: 'here' })).replace('here', text);
      // Headers of a surface, sources, signatures, ids: everything except text.
      const padded = `${answer}${' '.repeat(2_000_000)}`;
      const outcome = await attemptAgainst(subject.platformAt, answering(200, padded, json));
      expect(outcome).toMatchObject({ kind: 'answered' });
    }
  });

  it('nor is an escaped echo of the request', async () => {
    const text = '<'.repeat(500_000);
    const messages = [{ role: 'user', content: text }] as const;
    for (const subject of [...surfaces, aiSdkSubject]) {
      const body = around(subject, `"${'\\u003c'.repeat(500_000)}"`);
      const tried = { request: { ...smallRequest, messages } };
      const script = answering(200, body, json);
      const outcome = await attemptAgainst(subject.platformAt, script, tried);
      expect(outcome).toMatchObject({ kind: 'answered' });
    }
  });

  it('never exceeds 16 MB', () => {
    expect(answerBytesFor(1_000_000, 0)).toBe(answerBytesMax);
    expect(answerBytesFor(1, 4_194_304)).toBe(answerBytesMax);
    expect(answerBytesFor(1, 0)).toBe(2_097_280);
    expect(depthMax).toBeGreaterThan(64);
  });
});
