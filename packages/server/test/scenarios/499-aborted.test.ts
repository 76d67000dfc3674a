import { expect, test } from 'vitest';
import { expectBooks, heldBy, paid, unbilled } from '../support/books.ts';
import { chatOf, meet } from '../support/exchange.ts';
import { onStack } from '../support/on-stack.ts';
import type { Stack } from '../support/stack.ts';

/** A chat whose client disconnects after some time. */
async function leaving(stack: Stack, app: string, model: string, afterMs: number) {
  const controller = new AbortController();
  const apiKey = await stack.key(app);
  const gone = stack
    .fetch('http://gateway.test/v1/chat', {
      method: 'POST',
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
      body: JSON.stringify(chatOf(model, { userId: 'ada' })),
      signal: controller.signal,
    })
    .then(
      () => 'answered',
      () => 'gone',
    );
  await stack.clock.settle();
  await stack.clock.advance(afterMs);
  controller.abort();
  await stack.clock.settle();
  expect(await gone).toBe('gone');
}

test(
  'a disconnected client cancels nothing: the call is detached, and settled at its cost',
  onStack(async (stack) => {
    await leaving(stack, 'search', 'sim-slow', 1_000);
    expect(await heldBy(stack.store, 'search')).toBe(1);
    expect(stack.simulator.bill().total.calls).toBe(0);
    await stack.clock.advance(1_000);
    const call = paid('0.000006', 'ABORTED');
    await expectBooks(stack, 'search', { calls: [call], billedUsd: '0.000006' });
    const [line] = stack.logLines.filter(({ message }) => message === 'answered');
    expect(line?.fields).toMatchObject({ status: 499, code: 'ABORTED', app: 'search' });
  }),
);

test(
  'a user without a response pays nothing for it',
  onStack(async (stack) => {
    await leaving(stack, 'tutor', 'sim-slow', 1_000);
    await stack.clock.advance(1_000);
    const { body } = await meet(stack, 'tutor', (client) => client.credits('ada'));
    expect(body).toMatchObject({ spent: '0', held: '0' });
    const call = paid('0.000006', 'ABORTED');
    await expectBooks(stack, 'tutor', { calls: [call], billedUsd: '0.000006' });
  }),
);

test(
  'nothing is retried for a disconnected client',
  onStack(async (stack) => {
    await leaving(stack, 'search', 'sim-throttled-hint', 1_000);
    await stack.clock.advance(60_000);
    const call = { ...unbilled('ABORTED'), attempts: ['THROTTLED'] };
    await expectBooks(stack, 'search', { calls: [call], billedUsd: '0' });
  }),
);

test(
  'a client that disconnected before the reservation has made no call',
  onStack(async (stack) => {
    const apiKey = await stack.key('search');
    const controller = new AbortController();
    const request = stack.fetch('http://gateway.test/v1/chat', {
      method: 'POST',
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
      body: JSON.stringify(chatOf('sim-echo')),
      signal: controller.signal,
    });
    controller.abort();
    await expect(request).rejects.toThrow();
    await stack.clock.settle();
    await expectBooks(stack, 'search', { calls: [], billedUsd: '0' });
  }),
);

test(
  'a client that is aborted by its caller reports it, and its call is settled',
  onStack(async (stack) => {
    const client = await stack.client('search');
    const controller = new AbortController();
    const call = client.chat(chatOf('sim-slow'), { signal: controller.signal });
    const ended = expect(call).rejects.toMatchObject({ code: 'ABORTED', status: 0 });
    await stack.clock.settle();
    controller.abort();
    await ended;
    await stack.clock.advance(2_000);
    const booked = paid('0.000006', 'ABORTED');
    await expectBooks(stack, 'search', { calls: [booked], billedUsd: '0.000006' });
  }),
);
