import { describe, expect, test } from 'vitest';
import { chatOf } from '../support/exchange.ts';
import { sharedOn, storeKinds, withApps } from '../support/shared-stack.ts';
import { openStack } from '../support/stack.ts';
import { consoleOf } from './support/console-of.ts';

describe.each(storeKinds)('running calls on %s', (kind) => {
  const shared = sharedOn(kind, async (store) => {
    const yaml = `
company: acme
store: ${store}
platforms: { sandbox: { kind: simulator } }
apps:
  - { name: search, dailyBudgetUsd: "5" }
  - { name: tutor, dailyBudgetUsd: "5" }
`;
    const stack = await openStack({ yaml, hasConsole: true });
    const userId = 'ada.l';
    for (const app of ['search', 'tutor', 'tutor']) {
      await stack.key(app);
      stack.post(app, '/v1/chat', chatOf('sim-stuck', { userId })).catch(() => undefined);
      await stack.clock.settle();
    }
    return withApps(stack);
  });

  test('are listed for all apps, the newest first, in pages, with their number', async () => {
    const ask = consoleOf(shared().stack)('operator');
    const { body: all } = await ask('GET /holds');
    expect(all).toMatchObject({
      items: [
        { app: 'tutor', model: 'sim-stuck', state: 'running', userId: 'ada.l' },
        { app: 'tutor', model: 'sim-stuck' },
        { app: 'search', model: 'sim-stuck' },
      ],
      ...{ after: null, count: 3 },
    });
    const { body: first } = await ask('GET /holds?limit=2');
    expect(first).toEqual({ items: all.items.slice(0, 2), after: all.items[1].id, count: 3 });
    const { body: second } = await ask(`GET /holds?limit=2&after=${first.after}`);
    expect(second).toEqual({ items: all.items.slice(2), after: null, count: 3 });
    expect((await ask('GET /holds?limit=201')).body.error).toMatchObject({ field: 'limit' });
    expect((await ask('GET /holds?after=x')).body.error).toMatchObject({ field: 'after' });
  });

  test('can be limited to an app and a model', async () => {
    const ask = consoleOf(shared().stack)('operator');
    const search = { items: [{ app: 'search' }], count: 1 };
    expect((await ask('GET /holds?app=search')).body).toMatchObject(search);
    expect((await ask('GET /holds?model=sim-echo')).body).toMatchObject({ items: [], count: 0 });
    expect((await ask('GET /holds?app=tutor&model=sim-stuck')).body).toMatchObject({ count: 2 });
    expect((await ask('GET /holds?app=none')).status).toBe(404);
  });

  test('of a limited login are those of its apps, without users for a viewer', async () => {
    const asker = consoleOf(shared().stack);
    const team = asker('team', { apps: ['search'] });
    expect((await team('GET /holds')).body).toMatchObject({ items: [{ app: 'search' }], count: 1 });
    expect((await team('GET /holds?app=tutor')).status).toBe(404);
    const none = asker('team', { apps: [] });
    expect((await none('GET /holds')).body).toEqual({ items: [], after: null, count: 0 });
    const { body } = await asker('viewer')('GET /holds');
    expect(body.count).toBe(3);
    expect(JSON.stringify(body)).not.toContain('ada.l');
  });
});
