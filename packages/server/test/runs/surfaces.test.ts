import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { storeKinds } from '../support/shared-stack.ts';
import { askRuns, makeRun } from './run-stack.ts';
import { openSurfaces, type Surface, surfaces } from './surfaces.ts';

/** Two ways to ask in a run. */
const ways = ['its own key', "the app's key and x-run-id"] as const;

const rows = surfaces.flatMap((surface) => ways.map((way) => ({ surface, way, ...surface })));
const paid = rows.filter(({ refusedWith }) => refusedWith !== undefined);
const read = rows.filter(({ isRead }) => isRead);
const lists = rows.filter(({ method }) => method === 'GET');

describe.each(storeKinds)('on %s', (kind) => {
  const shared = openSurfaces(kind);
  let app = '';
  beforeAll(async () => {
    app = await shared().newApp();
  });
  afterAll(async () => {
    expect(await shared().stack.audit()).toMatchObject({ clean: true });
  });

  async function inRun(way: (typeof ways)[number], narrowed: object = {}) {
    const { stack } = shared();
    const { runId, key } = await makeRun(stack, app, narrowed);
    const parent = await stack.key(app);
    const isOwn = way === 'its own key';
    const asker = { key: isOwn ? key : parent, more: isOwn ? {} : { 'x-run-id': runId } };
    return { runId, ask: (surface: Surface, user?: string) => send(asker, surface, user) };
  }

  async function send(
    { key, more }: { readonly key: string; readonly more: Record<string, string> },
    surface: Surface,
    user?: string,
  ) {
    const { clock, fetch } = shared().stack;
    const isBearer = surface.path.startsWith('/openai');
    const named = user === undefined ? { body: {}, headers: {} } : surface.as(user);
    const headers = {
      ...(isBearer ? { authorization: `Bearer ${key}` } : { 'x-api-key': key }),
      ...{ 'content-type': 'application/json', 'anthropic-version': '2023-06-01' },
      ...{ ...more, ...named.headers },
    };
    const { method, path } = surface;
    const body = method === 'GET' ? {} : { body: JSON.stringify(surface.body(named.body)) };
    const asked = await clock.run(fetch(`http://gateway${path}`, { method, headers, ...body }));
    const text = await clock.run(asked.text());
    return { status: asked.status, headers: asked.headers, text };
  }

  test.each(rows)('$name with $way: within its ceiling, and not after its end', async (row) => {
    const { runId, ask } = await inRun(row.way, { userId: 'ada' });
    for (const user of [undefined, 'ada']) {
      const answer = await ask(row.surface, user);
      expect([answer.status, answer.text]).toEqual([200, expect.stringContaining(row.says)]);
    }
    const { body } = await askRuns(shared().stack, app, { id: runId });
    const { spentUsd, heldUsd } = Object(body);
    expect([spentUsd !== '0', heldUsd]).toEqual([row.refusedWith !== undefined, '0']);
    await askRuns(shared().stack, app, { method: 'DELETE', id: runId });
    // Their clients know a bad key by 401.
    const status = row.path.startsWith('/v1') ? 403 : 401;
    expect(await ask(row.surface)).toMatchObject({ status });
  });

  test.each(paid)('$name with $way: refused beyond its ceiling', async (row) => {
    const { runId, ask } = await inRun(row.way, { maxCostUsd: '0.000000000001' });
    const { status, headers, text } = await ask(row.surface);
    expect(text).toContain('of its budget of $');
    expect(text).toContain(row.refusedWith?.says);
    expect([status, headers.get('x-budget-scope'), headers.get('retry-after')]).toEqual([
      ...[row.refusedWith?.status, `run:${runId}`, null],
    ]);
    const { body } = await askRuns(shared().stack, app, { id: runId });
    expect(body).toMatchObject({ spentUsd: '0', heldUsd: '0' });
  });

  test.each(read)("$name with $way: another's user is INVALID", async (row) => {
    const { ask } = await inRun(row.way, { userId: 'mia' });
    const { status, text } = await ask(row.surface, 'ada');
    expect([status, text]).toEqual([400, expect.stringMatching(/user/i)]);
    expect(text).toMatch(/"INVALID"|invalid_request_error/);
  });

  test.each(read)('$name with $way: another model is refused', async (row) => {
    const { ask } = await inRun(row.way, { models: ['other'] });
    const { status, text } = await ask(row.surface);
    expect([status, text]).toEqual([403, expect.stringMatching(/MODEL_NOT_ALLOWED|permission/)]);
  });

  test.each(lists)('$name with $way: lists its models alone', async (row) => {
    const { ask } = await inRun(row.way, { models: ['other', 'other-claude'] });
    const { status, text } = await ask(row.surface);
    expect([status, text]).toEqual([200, expect.stringContaining(row.says)]);
    expect(text).not.toMatch(/"(sim-echo|claude)"/);
  });
});
