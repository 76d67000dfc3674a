import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Desk, openDesk } from './support/desk.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
});
afterAll(() => desk.close());

test('the catalog has the built-in rows and those of the file, by id', async () => {
  const models = await desk.records(['models', 'list']);
  const ids = models.map(({ id }) => String(id));
  expect(ids).toEqual(ids.toSorted());
  expect(models.find(({ id }) => id === 'sim-echo')).toEqual({
    id: 'sim-echo',
    priced: true,
    price: {
      inputUsdPerMillion: '0.15',
      cachedInputUsdPerMillion: '0.075',
      cacheWriteInputUsdPerMillion: '0.1875',
      outputUsdPerMillion: '0.6',
    },
    contextTokens: 2_000_000,
    maxOutputTokens: 16_384,
    operations: ['chat', 'objects', 'agents'],
    images: true,
    platform: 'sandbox',
    upstreamModel: 'sim-echo',
    source: '@model-gateway/simulator',
  });
  expect(models.find(({ id }) => id === 'house-draft')).toMatchObject({
    priced: false,
    price: null,
    platform: 'local',
    source: null,
  });
});

test('people see the models that simulate failures only on request', async () => {
  const idsOf = async (...options: string[]) => {
    const { out } = await desk.run(['models', 'list', ...options, '--config', desk.file]);
    return { ids: out.map((line) => line.split(' ')[0]), last: out.at(-1) };
  };
  const few = await idsOf();
  expect(few.ids).toContain('sim-echo');
  expect(few.ids).not.toContain('sim-throttled');
  expect(few.last).toMatch(
    /^\d+ more models play failures and special cases; "models list --all" shows them$/,
  );
  expect((await idsOf('--all')).ids).toContain('sim-throttled');
});

test('the check finds models without a price and prices without a source', async () => {
  await desk.json(['apps', 'create', 'curious', '--models', 'sim-echo,sim-ehco,house-draft']);
  const result = await desk.run(['models', 'check', '--json', '--config', desk.file]);
  expect(result.code).toBe(1);
  expect(result.errors.join()).toContain('house-draft, sim-ehco; add');
  const check = JSON.parse(result.out.join());
  expect(Object.keys(check)).toEqual(['unpriced', 'withoutSource']);
  expect(check.unpriced).toEqual([
    { id: 'house-draft', platform: 'local', listed: true, apps: ['curious'] },
    { id: 'sim-ehco', platform: 'sandbox', listed: false, apps: ['curious'] },
    { id: 'sim-unpriced', platform: 'sandbox', listed: true, apps: [] },
  ]);
  expect(check.withoutSource).toMatchObject([{ id: 'house-model', platform: 'local' }]);
});

test('the check names models whose streams have no counts', async () => {
  const bare = await openDesk({
    yaml: `
company: acme
store: sqlite:./gateway.db
platforms:
  local: { kind: openai-compatible, baseUrl: "http://127.0.0.1:1/v1" }
models:
  - { id: a, platform: local, inputUsdPerMillion: "1", outputUsdPerMillion: "1" }
  - { id: b, platform: local, inputUsdPerMillion: "1", outputUsdPerMillion: "1", streamUsage: false }
`,
  });
  const check = await bare.record(['models', 'check']);
  expect(check.streamsEstimated).toEqual([{ id: 'b', platform: 'local' }]);
  const { out } = await bare.run(['models', 'check', '--config', bare.file]);
  expect(out.join('\n')).toContain('Models that stream without token counts');
  await bare.close();
});

test('no built-in row for a real platform lacks a price or a source', async () => {
  const real = await openDesk({
    yaml: `
company: acme
store: sqlite:./gateway.db
platforms:
  direct: { kind: openai, apiKey: test-key }
  claude: { kind: anthropic, apiKey: test-key }
  bedrock: { kind: bedrock-mantle, region: us-east-1 }
models:
  - { id: gpt-5.2, platform: direct, inputUsdPerMillion: "1.75", outputUsdPerMillion: "14" }
`,
  });
  const models = await real.records(['models', 'list']);
  expect(new Set(models.map(({ platform }) => platform)).size).toBe(3);
  const check = await real.record(['models', 'check']);
  // A row of the file that replaces a built-in row has no source.
  expect(check).toMatchObject({ unpriced: [], withoutSource: [{ id: 'gpt-5.2' }] });
  await real.close();
});

test('a project is bound, and bound again', async () => {
  const bind = ['projects', 'bind', 'search', 'sandbox'];
  for (const projectId of ['proj_1', 'proj_2']) {
    expect(await desk.json([...bind, projectId])).toEqual({
      app: 'search',
      platform: 'sandbox',
      projectId,
    });
  }
  const { errors } = await desk.run([...bind, 'proj_3', '--config', desk.file]);
  expect(errors.join('\n')).toMatch(/^a running service manages the projects of the simulator/);
});

test.each([
  [['nobody', 'sandbox', 'proj_1'], /^unknown app nobody; /],
  [['search', 'nowhere', 'proj_1'], /^unknown platform nowhere; .* has sandbox, local$/],
  [['search', 'local', 'proj_1'], /^the platform local \(kind openai-comp/],
])('a project cannot be bound: %j', async (words, sentence) => {
  const result = await desk.run(['projects', 'bind', ...words, '--config', desk.file]);
  expect(result).toMatchObject({ code: 1, out: [] });
  expect(result.errors.join('\n')).toMatch(sentence);
});

test('migrate prints the schema version of the store', async () => {
  const document = await desk.record(['migrate']);
  expect(document).toEqual({ store: 'sqlite', schemaVersion: expect.any(Number) });
  expect(Number(document.schemaVersion)).toBeGreaterThan(0);
  expect(await desk.json(['migrate'])).toEqual(document);
});
