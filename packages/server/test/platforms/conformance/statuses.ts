import { describe, expect, it } from 'vitest';
import type { AttemptCode } from '../../../src/platforms/model/port.ts';
import { answering, type Script } from '../support/scripted-server.ts';
import type { SurfaceSubject } from '../support/surface-subject.ts';
import { attemptAgainst, testApiKey, testNowMs } from '../support/try-platform.ts';

/** A status, and the result of an attempt that got it. Source: ledger, §4. */
type Row = readonly [
  status: number,
  code: AttemptCode,
  billed: 'no' | 'unknown',
  further: 'again' | 'never',
];

const rows: readonly Row[] = [
  [300, 'SERVER', 'no', 'never'],
  [301, 'SERVER', 'no', 'never'],
  [302, 'SERVER', 'no', 'never'],
  [304, 'SERVER', 'no', 'never'],
  [307, 'SERVER', 'no', 'never'],
  [308, 'SERVER', 'no', 'never'],
  [400, 'BAD_REQUEST', 'no', 'never'],
  [401, 'AUTH', 'no', 'never'],
  [402, 'SERVER', 'no', 'never'],
  [403, 'AUTH', 'no', 'never'],
  [404, 'NOT_FOUND', 'no', 'never'],
  [405, 'BAD_REQUEST', 'no', 'never'],
  [408, 'SERVER', 'unknown', 'again'],
  [409, 'SERVER', 'no', 'again'],
  [410, 'BAD_REQUEST', 'no', 'never'],
  [413, 'BAD_REQUEST', 'no', 'never'],
  [415, 'BAD_REQUEST', 'no', 'never'],
  [422, 'BAD_REQUEST', 'no', 'never'],
  [424, 'SERVER', 'unknown', 'again'],
  [425, 'SERVER', 'no', 'again'],
  [429, 'THROTTLED', 'no', 'again'],
  [499, 'BAD_REQUEST', 'no', 'never'],
  [500, 'SERVER', 'no', 'again'],
  [501, 'SERVER', 'no', 'again'],
  [502, 'SERVER', 'unknown', 'again'],
  [503, 'SERVER', 'no', 'again'],
  [504, 'SERVER', 'unknown', 'again'],
  [505, 'SERVER', 'no', 'again'],
  [529, 'SERVER', 'no', 'again'],
  [599, 'SERVER', 'no', 'again'],
  // Beyond HTTP: such a status has no meaning.
  [699, 'SERVER', 'unknown', 'never'],
];

const errorText = (error: Readonly<Record<string, unknown>>) => JSON.stringify({ error });

type Against = (script: Script) => ReturnType<typeof attemptAgainst>;

/** The result of every status, and the fields of a response in addition to its content. */
export function describeStatuses(subject: SurfaceSubject): void {
  const against: Against = (script) => attemptAgainst(subject.platformAt, script);
  describeStatus(against);
  describeRetryAfter(against);
  describeRequestId(against, subject);
  describeDetail(against, subject);
}

function describeStatus(against: Against) {
  describe('a status', () => {
    it.each(rows)('%i is %s, billed: %s, retried %s', async (status, code, billed, further) => {
      const body = errorText({ message: 'no', type: 'some_error', code: 'some_code', param: null });
      expect(await against(answering(status, body))).toMatchObject({
        kind: 'failed',
        code,
        billed,
        isRetryable: further === 'again',
        status,
        usage: undefined,
        retryAfterMs: undefined,
      });
    });

    it.each(rows)('%i means the same with an unreadable body', async (...row) => {
      const [status, code, billed] = row;
      const script = answering(status, '{}', { 'content-encoding': 'gzip' });
      expect(await against(script)).toMatchObject({ code, billed, status });
    });

    it.each([
      ['insufficient_quota', 'insufficient_quota'],
      ['insufficient_quota', null],
      [null, 'insufficient_quota'],
    ])('429 of an account without money (%s, %s) is not retried', async (type, code) => {
      const outcome = await against(answering(429, errorText({ message: '', type, code })));
      expect(outcome).toMatchObject({ code: 'THROTTLED', billed: 'no', isRetryable: false });
    });

    it.each(['', '<h1>Bad</h1>', '{"error":"text"}', '[]', 'null', '{"error":{"code":7}}'])(
      'applies whatever the body contains: %s',
      async (body) => {
        const outcome = await against(answering(400, body));
        expect(outcome).toMatchObject({ code: 'BAD_REQUEST', billed: 'no', status: 400 });
      },
    );
  });
}

function describeRetryAfter(against: Against) {
  describe('retry-after', () => {
    const later = new Date(testNowMs + 90_000).toUTCString();
    it.each([
      ['0', 0],
      ['1', 1_000],
      ['1.5', 1_500],
      [' 2 ', 2_000],
      ['99999999', 86_400_000],
      ['9'.repeat(400), 86_400_000],
      [later, 90_000],
      [new Date(testNowMs - 90_000).toUTCString(), 0],
      ['-1', undefined],
      ['NaN', undefined],
      ['soon', undefined],
      ['', undefined],
      ['1e3', undefined],
    ])('%s is a wait of %s ms', async (retryAfter, retryAfterMs) => {
      const script = answering(429, '{}', { 'retry-after': retryAfter });
      expect(await against(script)).toMatchObject({ code: 'THROTTLED', retryAfterMs });
    });

    it('that is a date counts from the platform’s own clock', async () => {
      const date = new Date(testNowMs + 60_000).toUTCString();
      const script = answering(503, '{}', { 'retry-after': later, date });
      expect(await against(script)).toMatchObject({ retryAfterMs: 30_000 });
    });
  });
}

function describeRequestId(against: Against, subject: SurfaceSubject) {
  describe('the request id', () => {
    const inBody = '{"type":"error","request_id":"from-body","error":{}}';
    const headers = { 'x-request-id': 'a', 'request-id': 'b', 'x-amzn-requestid': 'c' };
    it.each([
      [headers, 'a'],
      [{ 'request-id': 'b', 'x-amzn-requestid': 'c' }, 'b'],
      [{ 'x-amzn-requestid': 'c' }, 'c'],
      [{}, 'from-body'],
    ])('of %o is %s', async (given, requestId) => {
      expect(await against(answering(400, inBody, given))).toMatchObject({ requestId });
      const answer = JSON.stringify({ request_id: 'from-body', ...subject.least.fields });
      expect(await against(answering(200, answer, given))).toMatchObject({ requestId });
    });

    it('is available for a response that broke off', async () => {
      const outcome = await against((socket) => {
        socket.end('HTTP/1.1 200 OK\r\nx-request-id: a\r\ncontent-length: 9\r\n\r\n{');
      });
      expect(outcome).toMatchObject({ kind: 'failed', status: 200, requestId: 'a' });
    });

    it('is reported as soon as the head has arrived, though the body never does', async () => {
      const cut = new AbortController();
      const requestIds: (string | undefined)[] = [];
      const script: Script = (socket) =>
        void socket.write('HTTP/1.1 200 OK\r\nx-request-id: a\r\ncontent-length: 9\r\n\r\n{');
      const outcome = await attemptAgainst(subject.platformAt, script, {
        signal: cut.signal,
        requestIdHolder: {
          set requestId(id: string | undefined) {
            requestIds.push(id);
            if (id !== undefined) cut.abort();
          },
        },
      });
      expect(requestIds).toEqual(['a']);
      expect(outcome).toMatchObject({ kind: 'failed', billed: 'unknown', requestId: 'a' });
    });
  });
}

function describeDetail(against: Against, subject: SurfaceSubject) {
  describe('the detail for the log', () => {
    const detailOf = async (status: number, body: string) => {
      const outcome = await against(answering(status, body));
      return outcome.kind === 'failed' ? outcome.detail : 'answered';
    };

    it('contains status, code, type and the platform’s sentence', async () => {
      const body = errorText({
        message: 'Rate limit\n reached',
        type: 'tokens',
        code: 'rate_limit',
      });
      expect(await detailOf(429, body)).toBe('status 429 rate_limit tokens: Rate limit reached');
    });

    it('is at most 500 characters', async () => {
      expect((await detailOf(400, 'x'.repeat(100_000))).length).toBe(500);
    });

    it('contains no secret, not even half of one at its end', async () => {
      const secrets = `${testApiKey} Bearer abcdefghij sk-proj-abcdefgh AKIAABCDEFGHIJKLMNOP`;
      for (let padding = 380; padding < 520; padding += 7) {
        const detail = await detailOf(401, `${'x '.repeat(padding / 2)}${secrets}`);
        expect(detail).not.toMatch(/secr|abcd|ABCD/);
      }
    });

    it('has no sentence of a platform unless requested', async () => {
      const body = errorText({ message: 'You said: x', type: 'tokens', code: 'a code of words' });
      const script = answering(429, body);
      const withoutSentence = await attemptAgainst(subject.platformAt, script, {}, 'unsaid');
      expect(withoutSentence).toMatchObject({ kind: 'failed', detail: 'status 429 tokens' });
      expect(withoutSentence).not.toHaveProperty('sentence');
      const withSentence = await attemptAgainst(subject.platformAt, script, {}, 'told');
      expect(withSentence).toMatchObject({ detail: 'status 429 tokens', sentence: 'You said: x' });
    });

    it('contains nothing of a response', async () => {
      const half = JSON.stringify(subject.answer({ text: 'private' })).slice(0, -20);
      for (const body of [half, '{"choices":"private","output":"private"}']) {
        expect(await detailOf(200, body)).not.toContain('private');
      }
    });
  });
}
