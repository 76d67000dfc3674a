import { describe, expect, it } from 'vitest';
import type { SendRequest } from '../../../src/platforms/http/transport.ts';
import { createAuthorizedSend } from '../../../src/platforms/kinds/bedrock-mantle.ts';
import { CredentialsError } from '../../../src/platforms/mantle/aws-credentials.ts';
import type { Bearers } from '../../../src/platforms/mantle/bearers.ts';
import { failureOf, requestWith } from '../support/exchanges.ts';

const refreshed: Bearers = {
  current: () => Promise.resolve('old'),
  another: (refused) => Promise.resolve(refused === 'old' ? 'new' : undefined),
  inUse: () => undefined,
};

/** Responds with the statuses in turn, and records the requests. */
function openSend(bearers: Bearers, ...statuses: readonly number[]) {
  const sent: SendRequest[] = [];
  const send = createAuthorizedSend({
    bearers,
    send(request) {
      const status = statuses[sent.push(request) - 1] ?? 500;
      return Promise.resolve({ status, headers: {}, body: Buffer.from('') });
    },
  });
  return { send, authorizations: () => sent.map(({ headers }) => headers.authorization) };
}

const request = requestWith(new AbortController().signal);

describe('a request', () => {
  it('carries the bearer', async () => {
    const { send, authorizations } = openSend(refreshed, 200);
    expect(await send(request)).toMatchObject({ status: 200 });
    expect(authorizations()).toEqual(['Bearer old']);
  });

  it.each([401, 403])('whose bearer is rejected with %i is sent with a new one', async (status) => {
    const { send, authorizations } = openSend(refreshed, status, 200);
    expect(await send(request)).toMatchObject({ status: 200 });
    expect(authorizations()).toEqual(['Bearer old', 'Bearer new']);
  });

  it('is sent twice at most', async () => {
    const { send, authorizations } = openSend(refreshed, 401, 401, 200);
    expect(await send(request)).toMatchObject({ status: 401 });
    expect(authorizations()).toEqual(['Bearer old', 'Bearer new']);
  });

  it.each([400, 404, 429, 500, 503])('that failed with %i is sent once', async (status) => {
    const { send, authorizations } = openSend(refreshed, status, 200);
    expect(await send(request)).toMatchObject({ status });
    expect(authorizations()).toHaveLength(1);
  });

  it('keeps its rejection without another bearer', async () => {
    const another = () => Promise.reject(new CredentialsError('away'));
    const { send } = openSend({ ...refreshed, another }, 403);
    expect(await send(request)).toMatchObject({ status: 403 });
  });

  it('is not sent without credentials, and reports the missing ones', async () => {
    const current = () => Promise.reject(new CredentialsError('nothing was found'));
    const { send, authorizations } = openSend({ ...refreshed, current });
    expect(await failureOf(send(request))).toMatchObject({
      kind: 'no-credentials',
      wasSent: false,
      message: 'nothing was found',
    });
    expect(authorizations()).toEqual([]);
  });

  it('does not wait for credentials after it was canceled', async () => {
    const current = () => new Promise<string>(() => undefined);
    const { send, authorizations } = openSend({ ...refreshed, current });
    const controller = new AbortController();
    const failure = failureOf(send(requestWith(controller.signal)));
    controller.abort();
    expect(await failure).toMatchObject({ kind: 'aborted', wasSent: false });
    expect(await failureOf(send(requestWith(AbortSignal.abort())))).toMatchObject({
      kind: 'aborted',
    });
    expect(authorizations()).toEqual([]);
  });
});
