import { describe, expect, it } from 'vitest';
import { createWaitReader, readWait } from '../../../src/platforms/failures/read-wait.ts';
import { type WaitLine, waitLines } from '../../../src/platforms/statements/waits.ts';
import { type Cases, testRemoval } from './removal.ts';

const nowMs = Date.parse('2026-11-27T12:00:00Z');
const body = (error: object) => ({ json: { error } });
const headers = (given: Readonly<Record<string, string>>) => ({ headers: given });

interface Stated {
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
}

const cases: Cases<Stated> = {
  'retry-after-ms': [headers({ 'retry-after-ms': '400' }), 400],
  'x-ms-retry-after-ms': [headers({ 'x-ms-retry-after-ms': '250' }), 250],
  'retry-after': [headers({ 'retry-after': '2' }), 2_000],
  'error.metadata.headers': [body({ metadata: { headers: { 'Retry-After': '3' } } }), 3_000],
  'error.details[].retryDelay': [
    body({
      details: [{ '@type': 'type.googleapis.com/google.rpc.Help' }, { retryDelay: '34.5s' }],
    }),
    34_500,
  ],
  'x-ratelimit-reset-*': [
    headers({ 'x-ratelimit-reset-tokens': '1m30s', 'x-ratelimit-remaining-tokens': '0' }),
    90_000,
  ],
  'anthropic-ratelimit-*-reset': [
    headers({
      'anthropic-ratelimit-input-tokens-reset': '2026-11-27T12:00:07Z',
      'anthropic-ratelimit-input-tokens-remaining': '0',
    }),
    7_000,
  ],
  'x-ratelimit-reset': [
    headers({ 'x-ratelimit-reset': String(nowMs + 1_500), 'x-ratelimit-remaining': '0' }),
    1_500,
  ],
  'ratelimitbysize-reset': [
    headers({ 'ratelimitbysize-reset': '8', 'ratelimitbysize-remaining': '0' }),
    8_000,
  ],
  'ratelimit-reset': [headers({ 'ratelimit-reset': '4', 'ratelimit-remaining': '0' }), 4_000],
};

const readBy = (read: typeof readWait, stated: Stated, isThrottled = true) =>
  read({ ...{ headers: {}, json: undefined, nowMs, isThrottled }, ...stated });

testRemoval<WaitLine, Stated>({
  lines: waitLines,
  nameOf: ({ location: place }) => place,
  cases,
  read: (lines, stated) => readBy(createWaitReader(lines), stated),
});

describe('of several waits', () => {
  const requests = { 'x-ratelimit-reset-requests': '900ms', 'x-ratelimit-remaining-requests': '0' };
  const tokens = { 'x-ratelimit-reset-tokens': '6m0s', 'x-ratelimit-remaining-tokens': '149984' };

  it.each([
    ['the finest of a header', { 'retry-after': '1', 'retry-after-ms': '400' }, 400],
    ['the header, before a reset', { 'retry-after': '2', ...requests }, 2_000],
    ['the reset of the limit that is used up', { ...requests, ...tokens }, 900],
    [
      'the last reset, of two that are used up',
      { ...requests, ...tokens, 'x-ratelimit-remaining-tokens': '0' },
      360_000,
    ],
    ['a reset that does not say what is left', { 'x-ratelimit-reset-requests': '6.5s' }, 6_500],
    ['none of limits with something left', tokens, undefined],
    ['seconds since 1970', { 'x-ratelimit-reset': String(nowMs / 1_000 + 9) }, 9_000],
    ['a moment that has passed', { 'x-ratelimit-reset': '2026-11-27T11:00:00Z' }, 0],
    ['none that cannot be read', { 'retry-after': 'soon', 'retry-after-ms': '-1' }, undefined],
    ['none that is too long to read', { 'retry-after': '1h'.repeat(100) }, undefined],
    ['the next that can be read', { 'retry-after-ms': 'x', 'retry-after': '1h2m' }, 3_720_000],
  ])('it is %s', (_, given, waitMs) => {
    expect(readBy(readWait, { headers: given })).toBe(waitMs);
  });

  it('a reset is not read from a response that was not throttled', () => {
    expect(readBy(readWait, { headers: requests }, false)).toBeUndefined();
  });

  it('an error in a list is read, as Gemini writes it', () => {
    const json = [{ error: { code: 429, details: [{ retryDelay: '7s' }] } }];
    expect(readBy(readWait, { json })).toBe(7_000);
  });

  it.each([[null], ['error'], [[]], [{ error: { details: 'x', metadata: 7 } }]])(
    'a body without one reports none: %j',
    (json) => {
      expect(readBy(readWait, { json })).toBeUndefined();
    },
  );
});
