import { send } from '../support/exchange.ts';
import type { Stack } from '../support/stack.ts';

/** The body of a run with a budget of 1 USD and a minute. */
export const minute = { maxCostUsd: '1', expiresInMs: 60_000 };

/** A request of an app to a route of runs, with its own key or another one. */
export async function askRuns(
  stack: Stack,
  app: string,
  asked: {
    readonly method?: 'GET' | 'POST' | 'DELETE';
    readonly id?: string;
    readonly body?: unknown;
    readonly headers?: Record<string, string>;
  },
) {
  const { method = 'GET', id, body, headers } = asked;
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  return send(stack, id === undefined ? '/v1/runs' : `/v1/runs/${id}`, {
    method,
    headers: { 'x-api-key': await stack.key(app), ...type, ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

export async function makeRun(stack: Stack, app: string, more: object = {}) {
  const { status, body } = await askRuns(stack, app, {
    method: 'POST',
    body: { ...minute, ...more },
  });
  if (status !== 201) throw new Error('no run was made', { cause: body });
  const { runId, key } = Object(body);
  return { runId: String(runId), key: String(key) };
}
