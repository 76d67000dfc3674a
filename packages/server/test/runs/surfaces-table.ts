import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Choose } from '../support/pairs.ts';
import { type StoreKind, storeKinds } from '../support/shared-stack.ts';
import type { Stack } from '../support/stack.ts';
import { askRuns, makeRun } from './run-stack.ts';
import { openSurfaces, type Surface, surfaces } from './surfaces.ts';

/** Two ways to call in a run. */
const ways = ['its own key', "the app's key and x-run-id"] as const;

interface Row {
  readonly kind: StoreKind;
  readonly surface: Surface;
  readonly way: (typeof ways)[number];
  readonly title: string;
  readonly rule: Rule;
}

interface Scene {
  readonly stack: Stack;
  readonly app: string;
}

interface Rule {
  readonly isFor: (surface: Surface) => boolean;
  readonly check: (scene: Scene, row: Row) => Promise<void>;
}

/** A surface's behavior in a run. */
const rules: Readonly<Record<string, Rule>> = {
  'within its ceiling, and not after its end': { isFor: () => true, check: expectWithin },
  'refused beyond its ceiling': {
    isFor: ({ refusedWith }) => refusedWith !== undefined,
    check: expectRefused,
  },
  "another's user is INVALID": { isFor: ({ isRead }) => isRead, check: expectOwnUser },
  'another model is refused': { isFor: ({ isRead }) => isRead, check: expectOwnModels },
  'lists its models alone': { isFor: ({ method }) => method === 'GET', check: expectList },
};

const table: readonly Row[] = storeKinds
  .flatMap((kind) => Object.entries(rules).map(([title, rule]) => ({ kind, title, rule })))
  .flatMap((row) => surfaces.map((surface) => ({ ...row, surface })))
  .filter(({ rule, surface }) => rule.isFor(surface))
  .flatMap((row) => ways.map((way) => ({ ...row, way })));

/** Every surface's behavior in a run. */
export function describeSurfaces(choose: Choose) {
  const chosen = Map.groupBy(choose(table), ({ kind }) => kind);

  describe.each([...chosen])('on %s', (kind, rows) => {
    const shared = openSurfaces(kind);
    let app = '';
    beforeAll(async () => {
      app = await shared().newApp();
    });
    afterAll(async () => {
      expect(await shared().stack.audit()).toMatchObject({ clean: true });
    });

    for (const [title, rowsOf] of Map.groupBy(rows, (row) => row.title)) {
      test.each(rowsOf)(`$surface.name with $way: ${title}`, (row) =>
        row.rule.check({ stack: shared().stack, app }, row),
      );
    }
  });
}

async function expectWithin(scene: Scene, row: Row) {
  const { surface } = row;
  const { runId, ask } = await inRun(scene, row, { userId: 'ada' });
  for (const user of [undefined, 'ada']) {
    const answer = await ask(user);
    expect([answer.status, answer.text]).toEqual([200, expect.stringContaining(surface.says)]);
  }
  const { body } = await askRuns(scene.stack, scene.app, { id: runId });
  const { spentUsd, heldUsd } = Object(body);
  expect([spentUsd !== '0', heldUsd]).toEqual([surface.refusedWith !== undefined, '0']);
  await askRuns(scene.stack, scene.app, { method: 'DELETE', id: runId });
  // Their clients expect 401 for a bad key.
  const status = surface.path.startsWith('/v1') ? 403 : 401;
  expect(await ask()).toMatchObject({ status });
}

async function expectRefused(scene: Scene, row: Row) {
  const { surface } = row;
  const { runId, ask } = await inRun(scene, row, { maxCostUsd: '0.000000000001' });
  const { status, headers, text } = await ask();
  expect(text).toContain('has a budget of $');
  expect(text).toContain(surface.refusedWith?.says);
  expect([status, headers.get('x-budget-scope'), headers.get('retry-after')]).toEqual([
    ...[surface.refusedWith?.status, `run:${runId}`, null],
  ]);
  const { body } = await askRuns(scene.stack, scene.app, { id: runId });
  expect(body).toMatchObject({ spentUsd: '0', heldUsd: '0' });
}

async function expectOwnUser(scene: Scene, row: Row) {
  const { ask } = await inRun(scene, row, { userId: 'mia' });
  const { status, text } = await ask('ada');
  expect([status, text]).toEqual([400, expect.stringMatching(/user/i)]);
  expect(text).toMatch(/"INVALID"|invalid_request_error/);
}

async function expectOwnModels(scene: Scene, row: Row) {
  const { ask } = await inRun(scene, row, { models: ['other'] });
  const { status, text } = await ask();
  expect([status, text]).toEqual([403, expect.stringMatching(/MODEL_NOT_ALLOWED|permission/)]);
}

async function expectList(scene: Scene, row: Row) {
  const { ask } = await inRun(scene, row, { models: ['other', 'other-claude'] });
  const { status, text } = await ask();
  expect([status, text]).toEqual([200, expect.stringContaining(row.surface.says)]);
  expect(text).not.toMatch(/"(sim-echo|claude)"/);
}

async function inRun({ stack, app }: Scene, { surface, way }: Row, narrowed: object = {}) {
  const { runId, key } = await makeRun(stack, app, narrowed);
  const parent = await stack.key(app);
  const isOwn = way === 'its own key';
  const asker = { key: isOwn ? key : parent, more: isOwn ? {} : { 'x-run-id': runId } };
  return { runId, ask: (user?: string) => send(stack, asker, { surface, user }) };
}

async function send(
  stack: Stack,
  { key, more }: { readonly key: string; readonly more: Record<string, string> },
  { surface, user }: { readonly surface: Surface; readonly user: string | undefined },
) {
  const { clock, fetch } = stack;
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
