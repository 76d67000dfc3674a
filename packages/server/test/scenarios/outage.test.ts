import type { Outcome } from '@model-gateway/simulator';
import { describe, expect, test } from 'vitest';
import { updateApp } from '../../src/operations/apps/apps.ts';
import { expectClean, heldBy, readAttempts, readCalls } from '../support/books.ts';
import { chatOf, meet, meetChat } from '../support/exchange.ts';
import { expectError } from '../support/expect-answer.ts';
import { platformError } from '../support/platform-outcomes.ts';
import { openStack, type Stack } from '../support/stack.ts';

const day = '2026-11-21';

/** A platform with a test's behavior, which counts its requests. */
async function troubled(first: Outcome | undefined) {
  const platform = { does: first, asked: 0 };
  const script = () => {
    platform.asked += 1;
    return platform.does;
  };
  const stack = await openStack({ script });
  return { stack, platform, [Symbol.asyncDispose]: stack.close };
}

/** Chats one after the other until the circuit is open. */
async function failUntilOpen(stack: Stack, platform: { asked: number }) {
  for (let chat = 0; chat < 7; chat++) await meetChat(stack, 'search', 'sim-echo');
  expect(platform.asked).toBe(20);
}

async function lastAttempts(stack: Stack, app: string) {
  const record = (await readCalls(stack.store, app, day)).at(-1);
  return { record, attempts: await readAttempts(stack.store, record) };
}

describe('a platform that keeps failing', () => {
  test('is not called for 5 s: calls fail at once, reserve nothing and cost nothing', async () => {
    await using outage = await troubled(platformError(503));
    const { stack, platform } = outage;
    await failUntilOpen(stack, platform);
    const startedMs = stack.clock.monotonic();
    const refused = await meetChat(stack, 'tutor', 'sim-echo', { userId: 'ada' });
    expect(stack.clock.monotonic()).toBe(startedMs);
    expectError(refused, {
      ...{ status: 502, code: 'SERVER', model: 'sim-echo', retryAfter: '5' },
      says: ['keeps failing', 'was not sent', 'nothing was charged', 'try again in 5 s'],
    });
    expect(platform.asked).toBe(20);
    const { record, attempts } = await lastAttempts(stack, 'tutor');
    expect(record).toMatchObject({ code: 'SERVER', basis: 'free', cost: 0n, walletGrant: 0n });
    expect(attempts).toEqual([]);
    expect(await heldBy(stack.store, 'tutor')).toBe(0);
    const { body } = await meet(stack, 'tutor', (client) => client.credits('ada'));
    expect(body).toMatchObject({ spent: '0', held: '0' });
    await expectClean(stack);
  });

  test('returns the last outcome if it fails between attempts', async () => {
    await using outage = await troubled(platformError(503));
    const { stack, platform } = outage;
    await failUntilOpen(stack, platform);
    // The seventh call was ended after its second attempt.
    const { attempts } = await lastAttempts(stack, 'search');
    expect(attempts.map((attempt) => attempt.status)).toEqual([503, 503]);
  });

  test('does not affect other models, nor rejections and stored responses', async () => {
    await using outage = await troubled(undefined);
    const { stack, platform } = outage;
    const headers = { 'idempotency-key': 'one' };
    const post = () => stack.post('search', '/v1/chat', chatOf('sim-echo'), { headers });
    expect((await post()).status).toBe(200);
    await stack.clock.advance(10_000);
    platform.does = platformError(503);
    for (let chat = 0; chat < 7; chat++) await meetChat(stack, 'search', 'sim-echo');
    const asked = platform.asked;
    expect((await meetChat(stack, 'search', 'sim-echo')).headers.get('retry-after')).toBe('5');
    const again = await post();
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
    await updateApp(stack.admin, 'tutor', { dailyBudgetPicoUsd: 1n });
    await stack.clock.advance(1_000);
    const broke = await meetChat(stack, 'tutor', 'sim-echo', { userId: 'ada' });
    expect(broke.error?.code).toBe('BUDGET_EXCEEDED');
    expect(platform.asked).toBe(asked);
    platform.does = undefined;
    expect((await meetChat(stack, 'search', 'sim-cached')).status).toBe(200);
  });

  test('is probed by one call after 5 s, whose success lets all others through', async () => {
    await using outage = await troubled(platformError(503));
    const { stack, platform } = outage;
    await failUntilOpen(stack, platform);
    await stack.clock.advance(5_000);
    platform.does = { kind: 'answer', text: 'back', delayMs: 1_000 };
    const client = await stack.client('search');
    const calls = Array.from({ length: 10 }, () =>
      client.chat(chatOf('sim-echo')).then(
        () => 200,
        () => 502,
      ),
    );
    const answers = await stack.clock.run(Promise.all(calls));
    expect(answers.filter((status) => status === 200)).toHaveLength(1);
    expect(platform.asked).toBe(21);
    expect((await meetChat(stack, 'search', 'sim-echo')).status).toBe(200);
    await expectClean(stack);
  });

  test('is not called for another 5 s when that call fails, which is not retried', async () => {
    await using outage = await troubled(platformError(503));
    const { stack, platform } = outage;
    await failUntilOpen(stack, platform);
    await stack.clock.advance(5_000);
    expect((await meetChat(stack, 'search', 'sim-echo')).headers.get('retry-after')).toBe(null);
    expect(platform.asked).toBe(21);
    await stack.clock.advance(4_000);
    expect((await meetChat(stack, 'search', 'sim-echo')).headers.get('retry-after')).toBe('1');
    expect(platform.asked).toBe(21);
  });

  test('is probed by the next call when the probing one got no response', async () => {
    await using outage = await troubled(platformError(503));
    const { stack, platform } = outage;
    await failUntilOpen(stack, platform);
    await stack.clock.advance(5_000);
    platform.does = { kind: 'silence' };
    expect((await meetChat(stack, 'search', 'sim-echo')).error?.code).toBe('TIMEOUT');
    platform.does = undefined;
    expect((await meetChat(stack, 'search', 'sim-echo')).status).toBe(200);
    // The silent one is detached, is canceled, and has no outcome.
    await stack.clock.advance(120_000);
    expect((await meetChat(stack, 'search', 'sim-echo')).status).toBe(200);
    expect(await heldBy(stack.store, 'search')).toBe(0);
    await expectClean(stack);
  });

  test.each([400, 401, 404, 408, 429])('does not include status %i', async (status) => {
    await using outage = await troubled(platformError(status));
    const { stack, platform } = outage;
    for (let chat = 0; chat < 25; chat++) await meetChat(stack, 'search', 'sim-echo');
    const each = [408, 429].includes(status) ? 3 : 1;
    expect(platform.asked).toBe(25 * each);
  });
});

test('retries run out in an outage, and return ten a second', async () => {
  await using outage = await troubled(platformError(429));
  const { stack, platform } = outage;
  const client = await stack.client('search');
  const manyChats = async (count: number) => {
    const before = platform.asked;
    const chats = Array.from({ length: count }, () => client.chat(chatOf('sim-echo')));
    const results = await stack.clock.run(Promise.allSettled(chats));
    for (const result of results) {
      expect(result).toMatchObject({ status: 'rejected', reason: { code: 'THROTTLED' } });
    }
    return platform.asked - before;
  };
  const startedMs = stack.clock.monotonic();
  const asked = await manyChats(90);
  const refilled = Math.floor((stack.clock.monotonic() - startedMs) / 100);
  expect(asked).toBeGreaterThanOrEqual(190);
  expect(asked).toBeLessThanOrEqual(190 + refilled);
  const { platforms } = stack.service.outageProtection.snapshot();
  expect(platforms).toMatchObject([{ platform: 'sandbox', retriesTaken: asked - 90 }]);
  await stack.clock.advance(10_000);
  expect(await manyChats(10)).toBe(30);
  const calls = await readCalls(stack.store, 'search', day);
  expect(calls.every(({ basis, cost }) => basis === 'free' && cost === 0n)).toBe(true);
  await expectClean(stack);
});
