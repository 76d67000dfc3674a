import { describe, expect, test } from 'vitest';
import { jsonOf, nameOf, openHouse, refusalOf, routes } from './house.ts';

const { ask, stack } = openHouse();

const error = { type: 'rate_limit_error', code: 'rate_limit_exceeded', message: 'slow down' };
const usedUp = { 'x-ratelimit-remaining-requests': '0' };

const waits = [
  ['retry-after-ms', { 'retry-after-ms': '900', 'retry-after': '7' }, {}, 900, '1'],
  ['a reset', { 'x-ratelimit-reset-requests': '1.5s', ...usedUp }, {}, 1_500, '2'],
  ['RetryInfo in the body', {}, { details: [{ retryDelay: '3s' }] }, 3_000, '3'],
] as const;

// The platform's waiting time passes before each attempt. A caller without more attempts receives
// it.
describe.each(routes.map((route) => [nameOf(route), route] as const))('%s', (_, route) => {
  test.each(waits)('waits by %s', async (_name, headers, more, waitMs, told) => {
    const refusal = jsonOf(429, { error: { ...error, ...more } }, headers);
    const startedMs = stack().clock.monotonic();
    const { status, headers: given, record } = await ask(route, Array(3).fill(refusal));
    expect(status).toBe(429);
    expect(given.get('retry-after')).toBe(told);
    expect(stack().clock.monotonic() - startedMs).toBe(2 * waitMs);
    expect(record).toMatchObject({ code: 'THROTTLED', cost: 0n, basis: 'free' });
  });

  test('waits by the body of a response with 200', async () => {
    if (route.wire === 'vectors') return;
    const metadata = { headers: { 'Retry-After': '2' } };
    const refusal = refusalOf(route, { ...error, code: 429, metadata });
    const { headers, record } = await ask(route, Array(3).fill(refusal));
    expect(headers.get('retry-after')).toBe('2');
    expect(record).toMatchObject({ code: 'THROTTLED', cost: 0n });
  });
});
