import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCatalog } from '../../src/catalog/create-catalog.ts';
import { issueKey } from '../../src/operations/keys/keys.ts';
import { firstModel } from '../../src/operations/keys/sample-keys.ts';
import { selectHasSampleKey } from '../../src/store/queries/registry.ts';
import { openStack, type Stack } from '../support/stack.ts';

const own = `
company: acme
adminEmail: admin@acme.example
store: sqlite:./gateway.db
platforms:
  own: { kind: openai-compatible, baseUrl: "http://127.0.0.1:9", apiKey: "none" }
models:
  - { id: embed-1, platform: own, upstreamModel: e, kind: embeddings }
  - { id: large-1, platform: own, upstreamModel: l }
  - { id: small-1, platform: own, upstreamModel: s }
apps:
  - { name: search }
`;

const app = { isEnabled: true, models: undefined };
const small = { ...app, models: new Set(['small-1']) };

let stack: Stack;
beforeAll(async () => {
  stack = await openStack({ yaml: own });
});
afterAll(() => stack.close());

function first(apps: readonly { isEnabled: boolean; models: Set<string> | undefined }[]) {
  const { config, clock } = stack;
  return firstModel(apps, createCatalog({ ...config, shipped: [], clock }), config.platforms);
}

test('a first call names a model that the service has, and that an app may use', () => {
  expect(first([app])).toEqual({ model: 'large-1', maxTokens: 2_000 });
  expect(first([small])).toMatchObject({ model: 'small-1' });
  expect(first([{ ...app, isEnabled: false }, small])).toMatchObject({ model: 'small-1' });
  expect(first([])).toMatchObject({ model: 'large-1' });
});

test('keys of the sample match the output of the first start', async () => {
  const { admin, store, clock } = stack;
  const has = (apps?: readonly string[]) =>
    clock.run(store.readForOperator(selectHasSampleKey(apps)));
  await clock.run(issueKey(admin, { app: 'search', email: 'ann@acme.example' }));
  expect(await has()).toBe(false);
  await clock.run(issueKey(admin, { app: 'search', email: 'b@acme.example', isSample: true }));
  expect(await has()).toBe(true);
  expect([await has(['search']), await has(['tutor']), await has([])]).toEqual([
    true,
    false,
    false,
  ]);
});
