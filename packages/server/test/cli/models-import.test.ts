import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { genaiPricesName } from '../../src/catalog/genai-prices.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { type Desk, openDesk } from './support/desk.ts';

const head = `
company: acme
store: sqlite:./gateway.db
platforms:
  direct: { kind: openai, apiKey: test-key }
  bedrock: { kind: bedrock-mantle, region: us-east-1 }
  local: { kind: openai-compatible, baseUrl: "http://127.0.0.1:9/v1", apiKey: none }
`;

const yaml = `${head}
models:
  - { id: gpt-5.1, platform: direct, inputUsdPerMillion: "9", outputUsdPerMillion: "9" }
`;

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk({ yaml });
});
afterAll(() => desk.close());

const ofModels = (ids: string) => ['models', 'import', '--platform', 'direct', '--models', ids];

test('a model that the catalog lacks is proposed as a row of the configuration', async () => {
  expect(await desk.json(ofModels('o3-mini'))).toEqual({
    models: [
      {
        id: 'o3-mini',
        platform: 'direct',
        inputUsdPerMillion: '1.1',
        cachedInputUsdPerMillion: '0.55',
        cacheWriteInputUsdPerMillion: '1.1',
        outputUsdPerMillion: '4.4',
        contextTokens: 200_000,
      },
    ],
    replaced: [],
    unchanged: [],
    notProposed: [],
  });
});

test('a model of the catalog is omitted, or reported as replaced', async () => {
  const found = await desk.record(ofModels('gpt-5.2,gpt-5.1'));
  expect(found.unchanged).toEqual([{ id: 'gpt-5.2', platform: 'direct' }]);
  expect(found.models).toMatchObject([{ id: 'gpt-5.1', inputUsdPerMillion: '1.25' }]);
  expect(found.replaced).toEqual([{ id: 'gpt-5.1', platform: 'direct' }]);
});

test('a price with a step comes with its factors', async () => {
  const google = ['models', 'import', '--platform', 'local', '--provider', 'google'];
  const { models } = await desk.record([...google, '--models', 'gemini-2.5-pro']);
  const factors = { input: '2', cachedInput: '2', cacheWrite: '2', output: '1.5' };
  expect(models).toMatchObject([
    { inputUsdPerMillion: '1.25', aboveInputTokens: [{ tokens: 200_000, factors }] },
  ]);
});

test('a model that cannot be mapped is marked, with the reason', async () => {
  const found = await desk.record(ofModels('gpt-nonesuch,text-embedding-3-small'));
  expect(found.models).toEqual([]);
  expect(found.notProposed).toEqual([
    { id: 'gpt-nonesuch', platform: 'direct', reason: 'the package has no such model' },
    {
      id: 'text-embedding-3-small',
      platform: 'direct',
      reason: 'it has no exact price for input and output tokens',
    },
  ]);
});

test('a built-in row with a newer price is not replaced', async () => {
  const bedrock = ['models', 'import', '--platform', 'bedrock'];
  expect(await desk.record([...bedrock, '--models', 'openai.gpt-5.5'])).toMatchObject({
    models: [],
    notProposed: [
      { reason: expect.stringMatching(/^the catalog has a newer price, from litellm .*https:/) },
    ],
  });
});

test('a model has its paths if its platform has no default for it', async () => {
  const bedrock = ['models', 'import', '--platform', 'bedrock'];
  const { models } = await desk.record([...bedrock, '--models', 'anthropic.claude-opus-4-6']);
  const [row] = listOf(models);
  expect(row).toMatchObject({ speaks: ['anthropic-v1-messages'], inputUsdPerMillion: '5.5' });
  const codex = await desk.record(ofModels('gpt-5-codex,o3-mini'));
  expect(codex.models).toMatchObject([{ speaks: ['v1-responses'] }, { id: 'o3-mini' }]);
  expect(listOf(codex.models)[1]).not.toHaveProperty('speaks');
});

describe('without options', () => {
  test('every platform whose kind defines the provider is used', async () => {
    const found = await desk.record(['models', 'import']);
    const models = listOf(found.models);
    expect(new Set(models.map(({ platform }) => platform))).toEqual(new Set(['direct', 'bedrock']));
    const ids = models.map(({ id }) => String(id));
    expect(ids).toContain('o3-mini');
    // Prefixes of ids are not ids, and images are not billed at the text price.
    expect(ids.filter((id) => /-$|^gpt-image/.test(id))).toEqual([]);
    // Mantle's ids have no region, no date and no version.
    const ofMantle = models.filter(({ platform }) => platform === 'bedrock');
    for (const { id } of ofMantle) expect(id).toMatch(/^[a-z0-9-]+\.[a-z0-9.-]+$/);
    expect(listOf(found.unchanged)).toContainEqual({
      id: 'openai.gpt-5.6-sol',
      platform: 'bedrock',
    });
    const reasons = listOf(found.notProposed).map(({ reason }) => String(reason));
    expect(reasons).toContain(
      'the package does not contain its id on the platform; set that id with --models',
    );
  });

  test('the printed YAML loads, row for row', async () => {
    const { code, out, errors } = await desk.run(['models', 'import', '--config', desk.file]);
    expect([code, errors]).toEqual([0, []]);
    expect(out[0]).toContain(genaiPricesName);
    const printed = `${head}${out.join('\n')}\n`;
    const loaded = loadConfig({ file: desk.file, environment: {}, readFile: () => printed });
    if ('problems' in loaded) throw new Error(loaded.problems.join('\n'));
    const { models } = await desk.record(['models', 'import']);
    expect(loaded.config.models.map(({ id, platform }) => ({ id, platform }))).toEqual(
      listOf(models).map(({ id, platform }) => ({ id, platform })),
    );
    expect(loaded.config.models.length).toBeGreaterThan(20);
  });
});

test('any provider of the package can be named for a platform', async () => {
  const words = ['models', 'import', '--platform', 'local', '--provider', 'mistral'];
  const { models } = await desk.record(words);
  expect(listOf(models).length).toBeGreaterThan(5);
});

test('without such a platform the result is empty', async () => {
  const simple = await openDesk();
  const { out } = await simple.run(['models', 'import', '--config', simple.file]);
  expect(out.slice(1)).toEqual(['models: []']);
  await simple.close();
});

test.each([
  [['--provider', 'openai'], 2, /^--provider requires --platform/],
  [
    ['--platform', 'local'],
    2,
    /^the platform local \(kind openai-compatible\) does not determine a provider; /,
  ],
  [['--platform', 'local', '--provider', 'nobody'], 2, /^the package has no provider "nobody"$/],
  [['--platform', 'nowhere'], 1, /^unknown platform nowhere; .* direct, bedrock, local$/],
  [['--models', 'a,,b'], 2, /^--models\[1\] must not be empty$/],
])('%j is rejected', async (words, code, sentence) => {
  const result = await desk.run(['models', 'import', ...words, '--config', desk.file]);
  expect(result).toMatchObject({ code, out: [] });
  expect(result.errors.join('\n')).toMatch(sentence);
});

function listOf(value: unknown): readonly Record<string, unknown>[] {
  if (!Array.isArray(value)) throw new Error('no list');
  return value;
}
