import { describe, expect, test } from 'vitest';
import { chatOf, send } from '../support/exchange.ts';
import { sharedOn, storeKinds } from '../support/shared-stack.ts';
import { openStack } from '../support/stack.ts';
import { consoleOf } from './support/console-of.ts';

describe.each(storeKinds)('requests without a valid key on %s', (kind) => {
  const shared = sharedOn(kind, async (store) => {
    const yaml = `
company: acme
adminEmail: admin@acme.example
store: ${store}
platforms:
  sandbox: { kind: simulator }
apps:
  - { name: search, ratePerSecond: 1 }
  - { name: tutor }
`;
    return { stack: await openStack({ yaml, hasConsole: true }) };
  });

  test('appear on Health by hour and reason, for logins of all apps', async () => {
    const { stack } = shared();
    const post = (headers: Record<string, string>) =>
      send(stack, '/v1/chat', { method: 'POST', headers, body: '{}' });
    expect((await post({})).status).toBe(403);
    expect((await post({})).status).toBe(403);
    expect((await post({ 'x-api-key': 'mgk_mistyped' })).status).toBe(403);
    // A request over a key's own limit is not a request without a key.
    await stack.post('search', '/v1/chat', chatOf('sim-echo'));
    await stack.clock.advance(10_500);
    const { body } = await consoleOf(stack)('viewer')('GET /health');
    const at = `${new Date(stack.clock.now()).toISOString().slice(0, 13)}:00:00.000Z`;
    expect(body.keyless).toHaveLength(2);
    expect(body.keyless).toContainEqual({
      ...{ at, reason: 'no-header', count: 2, lastAt: expect.stringMatching(/Z$/) },
      path: expect.stringMatching(/^POST \/v1\/chat from /),
    });
    expect(body.keyless).toContainEqual(expect.objectContaining({ count: 1 }));
    const team = await consoleOf(stack)('team', { apps: ['search'] })('GET /health');
    expect(team).toMatchObject({ status: 200, body: { keyless: [] } });
  });

  test('with keys of several apps are one line, and end after 24 hours', async () => {
    const { stack } = shared();
    const keys = [];
    for (const app of ['search', 'tutor']) {
      const ask = consoleOf(stack)('operator');
      const key = await stack.key(app);
      const { body } = await ask(`GET /apps/${app}/keys`);
      for (const { id } of body.items) await ask(`POST /keys/${id}/disable`, { reason: 'test' });
      keys.push(key);
    }
    await stack.clock.run(stack.service.registry.refresh());
    for (const key of keys) {
      const headers = { 'x-api-key': key };
      expect((await send(stack, '/v1/chat', { method: 'POST', headers, body: '{}' })).status).toBe(
        403,
      );
    }
    await stack.clock.advance(10_500);
    const read = async () => (await consoleOf(stack)('operator')('GET /health')).body.keyless;
    expect(await read()).toContainEqual(expect.objectContaining({ reason: 'disabled', count: 2 }));
    stack.clock.set(stack.clock.now() + 25 * 3_600_000);
    expect(await read()).toEqual([]);
  });
});
