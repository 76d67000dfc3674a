import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRuns, type RunRequest } from '../../src/calls/runs/runs.ts';
import { createIds } from '../../src/lib/id.ts';
import { disableKey } from '../../src/operations/keys/keys.ts';
import { selectScopes } from '../../src/store/queries/ledger.ts';
import { storeKinds } from '../support/shared-stack.ts';
import type { Stack } from '../support/stack.ts';
import { ask, chat, mostOf, openCapped, routes } from './support/caps.ts';

const dollar = 10n ** 12n;

describe.each(storeKinds)('on %s', (kind) => {
  const shared = openCapped(kind);
  /** The runs of another process: this process has not read the runs that it makes. */
  let runs: ReturnType<typeof createRuns>;
  beforeAll(() => {
    const { store, clock } = shared().stack;
    runs = createRuns({ store, clock, ids: createIds(clock) });
  });

  /** A new app with a run. */
  async function inRun(wanted: Partial<RunRequest> = {}) {
    const { stack, newApp } = shared();
    const app = await newApp();
    const key = await stack.key(app);
    const [, parentKeyId = ''] = key.split('_');
    const defaults = { models: undefined, userId: undefined, label: undefined };
    const parts = { ...defaults, app, parentKeyId, maxCostPicoUsd: dollar, expiresInMs: 3_600_000 };
    const made = await stack.clock.run(runs.make({ ...parts, ...wanted }));
    if (made.kind !== 'made') throw new Error(`it came to ${made.kind}`);
    return { ...made, on: { stack, app }, parentKeyId };
  }

  function get(
    { stack }: { readonly stack: Stack },
    path: string,
    headers: Record<string, string>,
  ) {
    const request = new Request(`http://gateway${path}`, { headers });
    return stack.clock.run(stack.fetch(request));
  }

  test.each(routes)(
    'the key of a run makes calls on $path, up to the run budget',
    async (route) => {
      const { on, run, key } = await inRun({ maxCostPicoUsd: mostOf(route, 9_999) });
      expect(await ask(on, route, 9_999, key)).toMatchObject({ status: 200 });
      const refused = await ask(on, route, 9_999, key);
      expect(refused.status).toBe(route.status);
      expect(refused.headers.get('x-budget-scope')).toBe(`run:${run.id}`);
      expect(refused.headers.get('retry-after')).toBeNull();
      expect(refused.text).toContain('has a budget of $');
      const fits = Number(/maxTokens (\d+) would fit/.exec(refused.text)?.[1]);
      expect(await ask(on, route, fits, key)).toMatchObject({ status: 200 });
      const [row] = await on.stack.store.read(
        selectScopes([{ scope: `run:${on.app}:${run.id}`, period: 'run' }]),
      );
      expect(row).toMatchObject({ held: 0n, overrun: 0n });
      expect(await runs.spendOf(run)).toMatchObject({ held: 0n, spent: row?.spent });
    },
  );

  test("the app's own key makes a call in a run by its header", async () => {
    const { on, run } = await inRun({ maxCostPicoUsd: 1n });
    const post = (headers: Record<string, string>) =>
      on.stack.post(on.app, chat.path, chat.body(10), { headers });
    expect((await on.stack.clock.run(post({}))).status).toBe(200);
    const refused = await on.stack.clock.run(post({ 'x-run-id': run.id }));
    expect([refused.status, refused.headers.get('x-budget-scope')]).toEqual([429, `run:${run.id}`]);
    const other = await inRun();
    for (const id of ['run_unknown', '', other.run.id]) {
      expect((await on.stack.clock.run(post({ 'x-run-id': id }))).status, id).toBe(403);
    }
  });

  test('a run has access only to calls, models, a quote and the wallet of its user', async () => {
    const { on, key } = await inRun({ userId: 'ada' });
    const status = async (path: string) => (await get(on, path, { 'x-api-key': key })).status;
    expect(await status('/v1/models')).toBe(200);
    expect(await status('/openai/v1/models')).toBe(200);
    // The app meters no credits, so only the app itself can reject the call.
    expect(await status('/v1/credits/ada')).toBe(409);
    for (const path of ['/v1/usage', '/v1/credits/mia']) expect(await status(path), path).toBe(403);
    const quote = { operation: 'chat', request: chat.body(10) };
    const headers = { 'x-api-key': key };
    const quoted = await on.stack.clock.run(on.stack.post(on.app, '/v1/quote', quote, { headers }));
    expect(await quoted.json()).toMatchObject({ fits: true });
  });

  test('it is only for its user and its models', async () => {
    const { on, key } = await inRun({ userId: 'mia', models: ['claude', 'sim-slow'] });
    const headers = { 'x-api-key': key };
    const post = (body: object) =>
      on.stack.clock.run(on.stack.post(on.app, chat.path, body, { headers }));
    const other = await post({ ...chat.body(10), model: 'claude' });
    expect([other.status, await other.json()]).toMatchObject([400, { error: { code: 'INVALID' } }]);
    const { userId: _, ...unnamed } = { userId: '', ...chat.body(10) };
    expect((await post({ ...unnamed, model: 'claude' })).status).toBe(200);
    expect((await post({ ...unnamed, model: 'claude', userId: 'mia' })).status).toBe(200);
    const barred = await post({ ...unnamed, model: 'sim-echo' });
    expect(await barred.json()).toMatchObject({ error: { code: 'MODEL_NOT_ALLOWED' } });
  });

  test('it is unknown once it is ended, expired or without its parent', async () => {
    const { on, run, key } = await inRun({ expiresInMs: 60_000 });
    const { clock } = on.stack;
    expect((await ask(on, chat, 10, key)).status).toBe(200);
    clock.set(clock.now() + 60_000);
    expect((await ask(on, chat, 10, key)).status).toBe(403);
    const ended = await inRun();
    expect((await ask(ended.on, chat, 10, ended.key)).status).toBe(200);
    await clock.run(runs.end(ended.on.app, ended.run.id));
    await clock.advance(500);
    expect((await ask(ended.on, chat, 10, ended.key)).status).toBe(403);
    const orphan = await inRun();
    await clock.run(disableKey(on.stack.admin, orphan.parentKeyId));
    await clock.run(on.stack.service.registry.refresh());
    expect((await ask(orphan.on, chat, 10, orphan.key)).status).toBe(403);
    expect((await ask(on, chat, 10, `${run.id}`)).status).toBe(403);
  });

  test('the same request in another run is another request', async () => {
    const { on, key } = await inRun();
    const post = (headers: Record<string, string>) =>
      on.stack.clock.run(
        on.stack.post(on.app, chat.path, chat.body(10), {
          headers: { 'idempotency-key': `once-${on.app}`, ...headers },
        }),
      );
    const first = await (await post({ 'x-api-key': key })).text();
    const again = await post({ 'x-api-key': key });
    expect([again.headers.get('idempotent-replayed'), await again.text()]).toEqual(['true', first]);
    expect(await (await post({})).json()).toMatchObject({ error: { code: 'INVALID' } });
  });

  afterAll(async () => {
    expect(await shared().stack.audit()).toMatchObject({ clean: true });
  });
});
