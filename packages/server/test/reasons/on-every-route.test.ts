import type { ErrorReason } from '@model-gateway/contract';
import { describe, expect, test } from 'vitest';
import {
  jsonOf,
  nameOf,
  openHouse,
  type Route,
  refusalOf,
  routes,
} from '../errors-in-200/house.ts';

const { ask, stack } = openHouse();

/** A secret that no caller may see: every error here contains it. */
const secret = 'account 4711 of Acme';

interface Rejected {
  readonly reason: ErrorReason;
  readonly error: object;
  /** On `/openai`. */
  readonly code: string;
  readonly says: string;
}

/** A rejection for each reason, as a platform writes it. */
const rejections: readonly Rejected[] = [
  {
    reason: 'context_length',
    error: { type: 'invalid_request_error', code: 'context_length_exceeded', message: secret },
    ...{ code: 'context_length_exceeded', says: 'prompt is too long' },
  },
  {
    reason: 'parameter',
    error: { type: 'invalid_request_error', code: 'unsupported_parameter', message: secret },
    ...{ code: 'unsupported_parameter', says: 'remove any parameter' },
  },
  {
    reason: 'schema',
    error: { type: 'invalid_request_error', message: `Invalid schema for function: ${secret}` },
    ...{ code: 'invalid_json_schema', says: 'JSON Schema' },
  },
  {
    reason: 'content_policy',
    error: { type: 'invalid_request_error', code: 'content_policy_violation', message: secret },
    ...{ code: 'content_policy_violation', says: 'content policy' },
  },
  {
    reason: 'image',
    error: { type: 'invalid_request_error', message: `Could not process image: ${secret}` },
    ...{ code: 'invalid_image', says: 'an image' },
  },
  {
    reason: 'tool',
    error: { type: 'invalid_request_error', message: `${secret} does not support tools` },
    ...{ code: 'BAD_REQUEST', says: 'tools' },
  },
  {
    reason: 'reasoning',
    error: { type: 'invalid_request_error', message: `${secret} is missing a thought_signature` },
    ...{ code: 'BAD_REQUEST', says: 'its own reasoning of earlier turns' },
  },
];

function expectTold(route: Route, told: Awaited<ReturnType<typeof ask>>, rejected: Rejected) {
  const { reason, code, says } = rejected;
  expect(told.status).toBe(400);
  expect(told.headers.get('x-error-reason')).toBe(reason);
  expect(told.headers.get('x-should-retry')).toBe('false');
  expect(told.headers.get('x-cost-usd')).toBeNull();
  expect(told.text).not.toContain('4711');
  const { error } = JSON.parse(told.text);
  expect(error.message).toContain(`The model ${route.wire} rejected the request`);
  expect(error.message).toContain(says);
  if (route.path.startsWith('/v1')) {
    expect(Object.keys(error)).toEqual(
      told.record === undefined || error.requestId === undefined
        ? ['code', 'message', 'model']
        : ['code', 'message', 'requestId', 'model'],
    );
    expect(error.code).toBe('BAD_REQUEST');
  } else if (route.path.startsWith('/openai')) {
    expect(error).toMatchObject({ type: 'invalid_request_error', code, param: null });
  } else {
    expect(error.type).toBe('invalid_request_error');
  }
  // Nothing is booked, and nothing is sent again.
  expect(told.attempts).toMatchObject([{ outcome: 'BAD_REQUEST', costUsd: '0', estimated: false }]);
  expect(told.record).toMatchObject({ code: 'BAD_REQUEST', basis: 'free', cost: 0n });
}

describe.each(routes.map((route) => [nameOf(route), route] as const))('%s', (_, route) => {
  test.each(rejections.map((rejected) => [rejected.reason, rejected] as const))(
    '%s, with HTTP 400',
    async (_reason, rejected) => {
      const reply = jsonOf(400, { type: 'error', error: rejected.error });
      expectTold(route, await ask(route, [reply]), rejected);
    },
  );

  test.each(rejections.map((rejected) => [rejected.reason, rejected] as const))(
    '%s, within a 200',
    async (_reason, rejected) => {
      expectTold(route, await ask(route, [refusalOf(route, rejected.error)]), rejected);
    },
  );

  test('a full context only in words, within a 200 that names no status', async () => {
    const error = { message: `prompt is too long: 215000 tokens > 200000 maximum, ${secret}` };
    const [overflow] = rejections;
    if (overflow === undefined) throw new Error('there is one');
    expectTold(route, await ask(route, [refusalOf(route, error)]), overflow);
  });

  test('413 is a full context', async () => {
    const told = await ask(route, [jsonOf(413, { message: secret })]);
    const [overflow] = rejections;
    if (overflow === undefined) throw new Error('there is one');
    expectTold(route, told, overflow);
  });

  test('moderation with 403 stays 403, with its reason', async () => {
    const error = { code: 403, message: `Your input was flagged for ${secret}` };
    const told = await ask(route, [jsonOf(403, { error })]);
    expect(told.status).toBe(403);
    expect(told.headers.get('x-error-reason')).toBe('content_policy');
    expect(told.text).toContain('content policy');
    expect(told.record).toMatchObject({ code: 'AUTH', basis: 'free', cost: 0n });
  });

  test('no known reason: the sentence as it was', async () => {
    const told = await ask(route, [jsonOf(400, { error: { message: secret, code: 'nope' } })]);
    expect(told.status).toBe(400);
    expect(told.headers.get('x-error-reason')).toBeNull();
    expect(told.text).toContain(
      'rejected the request; remove any parameter, message or schema that it does not support.',
    );
    await stack().clock.advance(11_000);
  });
});
