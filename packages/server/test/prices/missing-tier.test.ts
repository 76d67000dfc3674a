import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDesk } from '../cli/support/desk.ts';
import { startServer, type TestServer } from '../support/server.ts';

// Built-in rows have only the price of the standard tier. On a platform with another tier their
// calls name the standard one, and the operator must see this.

const rates = 'inputUsdPerMillion: "2", outputUsdPerMillion: "10"';
const yaml = `
company: acme
store: sqlite:./gateway.db
platforms:
  openai: { kind: openai, baseUrl: "http://127.0.0.1:1/v1", apiKey: sk-any-1234567890, tier: flex }
  claude: { kind: anthropic, baseUrl: "http://127.0.0.1:1/v1", apiKey: sk-any-1234567890, tier: priority }
models:
  - { id: gpt-5.5, platform: openai, ${rates}, tiers: { flex: "0.5" } }
  - { id: text-embedding-3-large, platform: openai, kind: embeddings, inputUsdPerMillion: "1" }
apps: [{ name: search, unpriced: refuse, projects: { openai: proj_1, claude: wrkspc_1 } }]
`;
/** The same platforms in the standard tier. */
const standard = yaml.replaceAll(/, tier: \w+/g, '');

type Row = Readonly<Record<'id' | 'platform' | 'tier', unknown>>;
const listOf = (rows: unknown): readonly Row[] => (Array.isArray(rows) ? rows : []);

describe('at startup and at a reload', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer({ yaml });
  });
  afterAll(() => server.close());

  const lines = () => server.logLines.filter(({ message }) => message.includes('standard tier'));

  test('one warning for each platform names the tier and the first models', async () => {
    const warning = (platform: string, tier: string) => ({
      level: 'warn',
      message: expect.stringMatching(/^calls to these models request the standard tier/),
      fields: { platform, tier, count: expect.any(Number), models: expect.any(Array) },
    });
    const expected = [warning('claude', 'priority'), warning('openai', 'flex')];
    expect(lines()).toEqual(expected);
    for (const { fields } of lines()) {
      const models = Array.isArray(fields.models) ? fields.models : [];
      expect(models).toHaveLength(Math.min(10, Number(fields.count)));
      expect(models).toEqual(models.toSorted());
    }
    await server.service.reload(server.configOf(yaml), 'refuse');
    expect(lines()).toEqual([...expected, ...expected]);
  });
});

test('a platform in the standard tier has no such line', async () => {
  const server = await startServer({ yaml: standard });
  expect(server.logLines.filter(({ level }) => level === 'warn')).toEqual([]);
  await server.close();
});

describe('models check', () => {
  test('lists built-in rows without the tier; none is retired or for embeddings', async () => {
    const desk = await openDesk({ yaml });
    const found = await desk.record(['models', 'check']);
    const lists = { withoutTier: listOf(found.withoutTier), retired: listOf(found.retired) };
    const ids = lists.withoutTier.map(({ id }) => id);
    expect(lists.withoutTier).toContainEqual({ id: 'gpt-5.4', platform: 'openai', tier: 'flex' });
    const places = new Set(lists.withoutTier.map(({ platform, tier }) => `${platform} ${tier}`));
    expect([...places].toSorted()).toEqual(['claude priority', 'openai flex']);
    const gone = lists.retired.map(({ id }) => id);
    expect(gone).not.toEqual([]);
    const others = ['gpt-5.5', 'text-embedding-3-large', 'text-embedding-3-small', ...gone];
    expect(ids.filter((id) => others.includes(id))).toEqual([]);
    const { out } = await desk.run(['models', 'check', '--config', desk.file]);
    expect(out.join('\n')).toMatch(/platform tier\n(.*\n)*gpt-5\.4 +openai +flex/);
    await desk.close();
  });

  test('has no such list if platforms are in the standard tier', async () => {
    const desk = await openDesk({ yaml: standard });
    expect(await desk.record(['models', 'check'])).not.toHaveProperty('withoutTier');
    await desk.close();
  });
});
