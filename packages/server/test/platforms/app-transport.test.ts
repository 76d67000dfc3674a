import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { type AppFetch, createAppTransport } from '../../src/platforms/http/app-transport.ts';
import { answerOf, failureOf, requestWith } from './support/exchanges.ts';

function send(fetch: AppFetch, signal: AbortSignal = new AbortController().signal) {
  return createAppTransport({ baseUrl: 'http://app.invalid/', fetch }).send(requestWith(signal));
}

describe('an app in this process', () => {
  it('gets the request, and its response is read completely', async () => {
    const seen: string[] = [];
    const sent = send(async (request) => {
      seen.push(request.method, request.url, await request.text());
      return new Response('{"a":1}', { status: 201, headers: { 'X-Request-ID': '1' } });
    });
    const response = await answerOf(sent);
    const url = 'http://app.invalid/v1/chat/completions';
    expect(seen).toEqual(['POST', url, '{"model":"test-model"}']);
    expect(response.status).toBe(201);
    expect(response.headers).toMatchObject({ 'x-request-id': '1' });
    expect(response.body.toString()).toBe('{"a":1}');
  });

  const rows: readonly (readonly [string, AppFetch, string, string])[] = [
    ['throws', () => Promise.reject(new Error('bug')), 'lost', 'APP_FAILED'],
    [
      'resets',
      () => Promise.reject(Object.assign(new Error('reset'), { code: 'ECONNRESET' })),
      'lost',
      'ECONNRESET',
    ],
    ['compresses', answering('x', { 'content-encoding': 'gzip' }), 'unusable', 'ANSWER_ENCODED'],
    [
      'states another length',
      answering('x', { 'content-length': '2' }),
      'unusable',
      'ANSWER_LENGTH',
    ],
    ['says too much', answering('x'.repeat(17 << 20), {}), 'unusable', 'ANSWER_TOO_LARGE'],
  ];
  it.each(rows)('that %s has got the request', async (_, fetch, kind, causeCode) => {
    expect(await failureOf(send(fetch))).toMatchObject({ kind, causeCode, wasSent: true });
  });

  it('that breaks off its response has got the request', async () => {
    const body = () =>
      new ReadableStream({
        pull(controller) {
          controller.error(Object.assign(new Error('reset'), { code: 'ECONNRESET' }));
        },
      });
    const failure = await failureOf(send(() => Promise.resolve(new Response(body()))));
    expect(failure).toMatchObject({ kind: 'lost', wasSent: true, answer: { status: 200 } });
  });

  it('that never responds is canceled, and no listener remains', async () => {
    const controller = new AbortController();
    const silent = () => {
      setImmediate(() => controller.abort());
      return new Promise<Response>(() => undefined);
    };
    const failure = await failureOf(send(silent, controller.signal));
    expect(failure).toMatchObject({ kind: 'aborted', wasSent: true });
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
  });

  it('is not called when the call was canceled before', async () => {
    const failure = await failureOf(send(() => Promise.reject(new Error()), AbortSignal.abort()));
    expect(failure).toMatchObject({ kind: 'aborted', wasSent: false });
  });
});

function answering(body: string, headers: Readonly<Record<string, string>>): AppFetch {
  return () => Promise.resolve(new Response(body, { headers }));
}
