import { describe, expect, test } from 'vitest';
import { parseUsd } from '../../src/lib/money.ts';
import { createApp } from '../../src/operations/apps/apps.ts';
import { billed, expectSums, settled } from '../streams/support/books.ts';
import { toldRows } from '../streams/support/told.ts';
import { onStack } from '../support/on-stack.ts';
import { defaultYaml, type Stack } from '../support/stack.ts';
import { type PaidRoute, routes } from './support/paid-routes.ts';
import { startRaw } from './support/raw-caller.ts';

const yaml = `${defaultYaml}ingress: { openai: true, anthropic: true }
limits: { modelCallMs: 2000, gatewayMs: 4000, drainMs: 20000 }
${toldRows()}`;
const late = JSON.stringify({ text: 'Late.', delayMs: 5_000 });

async function start(
  stack: Stack,
  route: PaidRoute,
  { app, retry }: { app: string; retry: number },
) {
  const headers = { 'x-stainless-retry-count': String(retry) };
  return startRaw(stack, app, route.path, { text: JSON.stringify(route.body(late)), headers });
}

async function newApp(stack: Stack, adoptRetries: boolean) {
  const settings = { dailyBudgetPicoUsd: parseUsd('5'), adoptRetries };
  await stack.clock.run(createApp(stack.admin, 'late', settings));
  await stack.clock.run(stack.service.registry.refresh());
  return 'late';
}

/** The text of a stream's deltas, on any wire format. */
function textOf(stream: string): string {
  const events = [...stream.matchAll(/^data: (\{.*)$/gm)].map(([, data = '']) => JSON.parse(data));
  return events.map((event) => deltaOf(event)).join('');
}

function deltaOf({ choices, delta }: { choices?: unknown; delta?: unknown }): string {
  if (typeof delta === 'string') return delta;
  const { text = '' } = Object(delta);
  const [{ delta: { content = '' } = {} } = {}] = Object(choices ?? []);
  return `${text}${content ?? ''}`;
}

const telling = Object.entries(routes).filter(([, { canStream }]) => canStream);

describe.each(telling)('%s', (_, route) => {
  test(
    'a retry collects a call that timed out: one charge',
    onStack(
      async (stack) => {
        const app = await newApp(stack, true);
        const first = await start(stack, route, { app, retry: 0 });
        await first.untilEnd();
        expect([first.status(), first.header('x-should-retry')]).toEqual([504, null]);
        const retry = await start(stack, route, { app, retry: 1 });
        await retry.untilEnd();
        expect([retry.status(), retry.header('idempotent-replayed')]).toEqual([200, 'true']);
        expect(retry.text()).toContain('Late.');
        const calls = await settled(stack, app);
        expect(calls.map(({ cost }) => cost)).toEqual([billed(stack, app)]);
        await expectSums(stack, app, calls);
      },
      { yaml },
    ),
  );

  test(
    'a retry gets the whole of an interrupted stream: one charge',
    onStack(
      async (stack) => {
        const app = await newApp(stack, true);
        const text = 'Said word by word to who is there';
        const prompt = JSON.stringify({ text, stream: { gapMs: 100 } });
        const ask = (retry: number) => {
          const body = JSON.stringify({ ...route.body(prompt), stream: true });
          const headers = { 'x-stainless-retry-count': String(retry) };
          return startRaw(stack, app, route.path, { text: body, headers });
        };
        const first = await ask(0);
        await first.until(() => first.text().includes('Said'));
        first.leave();
        const retry = await ask(1);
        await retry.untilEnd();
        expect([retry.status(), retry.header('idempotent-replayed')]).toEqual([200, 'true']);
        expect(textOf(retry.text())).toBe(text);
        expect(retry.text()).toContain(route.last.stop);
        const calls = await settled(stack, app);
        expect(calls.map(({ cost }) => cost)).toEqual([billed(stack, app)]);
      },
      { yaml: `${yaml}streaming: true\n` },
    ),
  );

  test.each([
    [true, null],
    [false, 'false'],
  ])(
    'the gateway’s own 504 of an app with adoption %s has x-should-retry %s',
    onStack(
      async (stack, adoptRetries, shouldRetry) => {
        const app = await newApp(stack, adoptRetries);
        const caller = await start(stack, route, { app, retry: 0 });
        await stack.clock.advance(1_000);
        stack.service.ingress.endAll();
        await caller.untilEnd();
        expect(caller.header('x-error-code')).toBe('GATEWAY_TIMEOUT');
        expect([caller.status(), caller.header('x-should-retry')]).toEqual([504, shouldRetry]);
        const calls = await settled(stack, app);
        expect(calls.map(({ cost }) => cost)).toEqual([billed(stack, app)]);
      },
      { yaml },
    ),
  );

  test(
    'a 504 of an app without adoption must not be retried: it would be paid again',
    onStack(
      async (stack) => {
        const app = await newApp(stack, false);
        const first = await start(stack, route, { app, retry: 0 });
        await first.untilEnd();
        expect([first.status(), first.header('x-should-retry')]).toEqual([504, 'false']);
        await settled(stack, app);
      },
      { yaml },
    ),
  );
});
