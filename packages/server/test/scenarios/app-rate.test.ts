import { describe, expect, test } from 'vitest';
import { updateApp } from '../../src/operations/apps/apps.ts';
import { issueKey } from '../../src/operations/keys/keys.ts';
import { refusalsOfApp } from '../../src/operations/reports/refusals.ts';
import { chatOf, type Exchange, meetWithKey, send } from '../support/exchange.ts';
import { expectGateway } from '../support/expect-answer.ts';
import { type SharedStack, sharedOn, storeKinds, withApps } from '../support/shared-stack.ts';
import { openStack } from '../support/stack.ts';

const yamlOn = (store: string) => `
company: acme
store: ${store}
platforms: { sandbox: { kind: simulator } }
plans:
  user: { ratePerSecond: 1, burst: 4, requestsPerDay: 6 }
apps:
  - { name: declared, ratePerSecond: 0.5 }
`;

describe.each(storeKinds)('the rate of an app on %s', (kind) => {
  const shared = sharedOn(kind, async (store) =>
    withApps(await openStack({ yaml: yamlOn(store), hasConsole: true })),
  );

  async function keyOf({ stack }: SharedStack, app: string): Promise<string> {
    const { clock, admin, service } = stack;
    const { key } = await clock.run(issueKey(admin, { app, email: 'team@acme.example' }));
    await clock.run(service.registry.refresh());
    return key;
  }

  const ask = ({ stack }: SharedStack, key: string): Promise<Exchange> =>
    send(stack, '/v1/usage', { headers: { 'x-api-key': key } });

  /** The outcome of each of so many requests with a key. */
  async function statuses(of: SharedStack, key: string, count: number) {
    const seen: string[] = [];
    for (let request = 0; request < count; request++) {
      const { status, text } = await ask(of, key);
      seen.push(status === 429 ? JSON.parse(text).message : String(status));
    }
    return seen;
  }

  test('applies to all its keys together, and returns a retry-after', async () => {
    const of = shared();
    const app = await of.newApp({ ratePerSecond: 0.5 });
    const [one, two] = [await keyOf(of, app), await keyOf(of, app)];
    expect((await ask(of, one)).status).toBe(200);
    expectGateway(await ask(of, two), 'TOO_MANY_REQUESTS', '2');
    await of.stack.clock.advance(1_000);
    expectGateway(await ask(of, one), 'TOO_MANY_REQUESTS', '1');
    await of.stack.clock.advance(1_000);
    expect((await ask(of, two)).status).toBe(200);
    expectGateway(await ask(of, one), 'TOO_MANY_REQUESTS', '2');
    expectGateway(await ask(of, await keyOf(of, app)), 'TOO_MANY_REQUESTS', '2');
  });

  test('uses nothing of the plan of a key that it rejects', async () => {
    const of = shared();
    const app = await of.newApp({ ratePerSecond: 2 });
    const [one, two] = [await keyOf(of, app), await keyOf(of, app)];
    expect(await statuses(of, one, 2)).toEqual(['200', '200']);
    // Far more than its burst and its quota together.
    expect(new Set(await statuses(of, two, 20))).toEqual(new Set(['Too Many Requests']));
    const { admin, clock, service } = of.stack;
    await clock.run(updateApp(admin, app, { ratePerSecond: undefined }));
    await clock.run(service.registry.refresh());
    expect(await statuses(of, two, 5)).toEqual([...Array(4).fill('200'), 'Too Many Requests']);
    await clock.advance(3_000);
    expect(await statuses(of, two, 3)).toEqual(['200', '200', 'Limit Exceeded']);
  });

  test('is not used by requests that the plan of a key rejects', async () => {
    const of = shared();
    const app = await of.newApp({ ratePerSecond: 5 });
    const [one, two] = [await keyOf(of, app), await keyOf(of, app)];
    const rest = 'Too Many Requests';
    expect(await statuses(of, one, 9)).toEqual([...Array(4).fill('200'), ...Array(5).fill(rest)]);
    expect(await statuses(of, two, 3)).toEqual(['200', rest, rest]);
    await of.stack.clock.advance(60_000);
    expect(await statuses(of, one, 4)).toEqual(['200', '200', ...Array(2).fill('Limit Exceeded')]);
    expect(await statuses(of, two, 4)).toEqual([...Array(3).fill('200'), rest]);
  });

  test('applies to its runs and their calls too', async () => {
    const of = shared();
    const app = await of.newApp({ ratePerSecond: 2 });
    const key = await keyOf(of, app);
    const made = await meetWithKey(of.stack, key, (client) =>
      client.createRun({ maxCostUsd: '1', expiresInMs: 60_000 }),
    );
    const runKey = JSON.parse(made.text).key;
    const call = () => meetWithKey(of.stack, runKey, (client) => client.chat(chatOf('sim-echo')));
    expect((await call()).status).toBe(200);
    expectGateway(await call(), 'TOO_MANY_REQUESTS', '1');
    expectGateway(await ask(of, await keyOf(of, app)), 'TOO_MANY_REQUESTS', '1');
  });

  test('comes from the file, and appears in log, metrics and console', async () => {
    const of = shared();
    const { stack } = of;
    const { admin, clock, service } = stack;
    const one = await keyOf(of, 'declared');
    expect(await statuses(of, one, 2)).toEqual(['200', 'Too Many Requests']);
    expect(stack.logLines.at(-1)?.fields).toMatchObject({
      ...{ app: 'declared', status: 429, code: 'TOO_MANY_REQUESTS', reason: 'app-rate' },
    });
    const page = await clock.run(Promise.resolve(service.monitor.pages['/metrics']?.()));
    expect(page?.text).toContain(
      'model_gateway_requests_limited_total{app="declared",reason="app-rate"} 1',
    );
    await clock.advance(61_000);
    expect(await clock.run(refusalsOfApp(admin, 'declared', 2))).toMatchObject([
      {
        code: 'TOO_MANY_REQUESTS:app-rate',
        count: 1,
        lastMessage: expect.stringContaining('ratePerSecond'),
      },
    ]);
    // Its key's plan has another end.
    await statuses(of, one, 1);
    await clock.run(updateApp(admin, 'declared', { ratePerSecond: undefined }));
    await clock.run(service.registry.refresh());
    await statuses(of, one, 9);
    expect(stack.logLines.at(-1)?.fields.reason).toBeUndefined();
  });
});
