import type { Answer } from '@model-gateway/simulator';
import { describe, expect, test } from 'vitest';
import { utcDayOf } from '../../src/lib/clock.ts';
import { formatUsd } from '../../src/lib/money.ts';
import { billedUsd, expectClean, heldBy, readCalls } from '../support/books.ts';
import { chatOf } from '../support/exchange.ts';
import { onStack } from '../support/on-stack.ts';
import { defaultYaml, type Stack } from '../support/stack.ts';

const yaml = `${defaultYaml}
streaming: true
limits: { drainMs: 6000 }
streams: { firstMs: 8000, idleMs: 12000, totalMs: 30000 }
`;

const text = 'A stream of some words, told one by one.';

/** Stops of the platform before its end, and the last event for each. */
const stops = [
  { how: 'break', code: 'SERVER' },
  { how: 'error', code: 'SERVER' },
  { how: 'end', code: 'SERVER' },
  { how: 'silence', code: 'TIMEOUT' },
] as const;

/** Its events, by their names. */
async function eventsOf(stack: Stack, response: Response) {
  const body = await stack.clock.run(response.text());
  return body.split('\n\n').flatMap((event) => {
    const [, name] = /^event: (\w+)$/m.exec(event) ?? [];
    const [, data] = /^data: (.*)$/m.exec(event) ?? [];
    return name === undefined || data === undefined ? [] : [{ name, data: JSON.parse(data) }];
  });
}

async function ask(stack: Stack, app = 'search') {
  return stack.post(app, '/v1/chat/stream', { ...chatOf('sim-echo'), userId: 'ada' });
}

async function onlyCall({ store, clock }: Stack, app: string) {
  const [call, ...more] = await readCalls(store, app, utcDayOf(clock.now()));
  if (call === undefined || more.length > 0) throw new Error('the app made one call');
  return call;
}

function answering(answer: Omit<Answer, 'kind' | 'text'>) {
  return { yaml, script: () => ({ kind: 'answer', text, ...answer }) as const };
}

describe('the platform’s bill and the ledger', () => {
  test(
    'are equal where a stream ends normally',
    onStack(
      async (stack) => {
        const events = await eventsOf(stack, await ask(stack));
        const last = events.at(-1);
        expect([last?.name, last?.data.text]).toEqual(['finish', text]);
        const { cost, basis } = await onlyCall(stack, 'search');
        expect([basis, formatUsd(cost)]).toEqual(['exact', billedUsd(stack, 'search')]);
        expect(last?.data.cost).toEqual({ usd: formatUsd(cost), estimated: false });
        await expectClean(stack);
      },
      answering({ stream: { gapMs: 100 } }),
    ),
  );

  test(
    'are equal where the caller disconnects in the middle: budget and wallet pay all of it',
    onStack(
      async (stack) => {
        const response = await ask(stack, 'tutor');
        const reader = response.body?.getReader();
        await stack.clock.run(reader?.read() ?? Promise.reject(new Error('no body')));
        await stack.clock.advance(250);
        await reader?.cancel();
        await stack.clock.advance(5_000);
        const { code, cost, walletGrant } = await onlyCall(stack, 'tutor');
        expect([code, formatUsd(cost)]).toEqual(['ABORTED', billedUsd(stack, 'tutor')]);
        expect(walletGrant).toBe(cost);
        await expectClean(stack);
      },
      answering({ stream: { gapMs: 100 } }),
    ),
  );

  test.each(stops)('never differ to the operator’s loss: $how', async ({ how, code }) => {
    await onStack(
      async (stack) => {
        const events = await eventsOf(stack, await ask(stack, 'tutor'));
        const last = events.at(-1);
        expect(last).toMatchObject({ name: 'error', data: { error: { code }, partial: true } });
        const { cost, basis, walletGrant, ...call } = await onlyCall(stack, 'tutor');
        expect([call.code, basis, walletGrant]).toEqual([code, 'estimated', 0n]);
        expect(last?.data.cost).toEqual({ usd: formatUsd(cost), estimated: true });
        expect(Number(formatUsd(cost))).toBeGreaterThanOrEqual(Number(billedUsd(stack, 'tutor')));
        expect(await heldBy(stack.store, 'tutor')).toBe(0);
        await expectClean(stack);
      },
      answering({ stream: { gapMs: 100, stop: { how, after: 4 } } }),
    )();
  });

  test(
    'never differ to the operator’s loss: no counts',
    onStack(
      async (stack) => {
        const events = await eventsOf(stack, await ask(stack));
        expect(events.at(-1)?.name).toBe('finish');
        const { cost, basis } = await onlyCall(stack, 'search');
        expect(basis).toBe('estimated');
        expect(Number(formatUsd(cost))).toBeGreaterThan(Number(billedUsd(stack, 'search')));
        await expectClean(stack);
      },
      answering({ reportedUsage: 'absent' }),
    ),
  );
});
