import { describe, expect, test } from 'vitest';
import { createCatalog } from '../../src/catalog/create-catalog.ts';
import { updateApp } from '../../src/operations/apps/apps.ts';
import { reportUnpriced } from '../../src/operations/models/unpriced-report.ts';
import { meetChat } from '../support/exchange.ts';
import { onStack } from '../support/on-stack.ts';
import { openStack, type Stack } from '../support/stack.ts';

const yaml = (more: string, apps: string) => `
company: acme
store: sqlite:./gateway.db
platforms:
  local: { kind: openai-compatible, baseUrl: "http://127.0.0.1:9/v1", apiKey: none }
  sandbox: { kind: simulator }
defaultPlatform: local
retry: { attempts: 1 }
${more}
models:
  - { id: house-draft, platform: local }
  - { id: house-model, platform: local, inputUsdPerMillion: "0", outputUsdPerMillion: "0" }
apps:
${apps}
`;

async function warningsAt(text: string): Promise<Stack['logLines']> {
  const stack = await openStack({ yaml: text });
  await stack.close();
  return stack.logLines.filter(({ level }) => level === 'warn');
}

describe('startup reports', () => {
  test('models reserved at the highest known rates: a price of 0 is a price', async () => {
    const warnings = await warningsAt(yaml('', '  - { name: search }'));
    expect(warnings).toMatchObject([{ fields: { models: ['house-draft'], count: 1 } }]);
    expect(warnings[0]?.message).toMatch(
      /^models have no price; their calls are reserved and booked at the high/,
    );
  });

  test('apps that call them for free', async () => {
    const apps = '  - { name: search }\n  - { name: strict, unpriced: refuse }';
    const warnings = await warningsAt(yaml('unpriced: free', apps));
    const message =
      '`unpriced: free` is set; calls to models without a price count toward no budget';
    expect(warnings).toMatchObject([{ fields: { apps: ['search'] }, message }]);
  });

  test('the first 20 of many apps, and their count', async () => {
    const names = Array.from({ length: 25 }, (_none, n) => `app-${String(n).padStart(2, '0')}`);
    const apps = names.map((name) => `  - { name: ${name} }`).join('\n');
    const [warning] = await warningsAt(yaml('unpriced: free', apps));
    expect(warning?.fields).toEqual({ apps: names.slice(0, 20), count: 25 });
  });

  test('allow-lists with a model that the catalog does not have', async () => {
    const apps = '  - { name: search, models: [house-model, huose-model], unpriced: refuse }';
    const message = 'model allowlist contains models that are not in the catalog';
    const fields = { app: 'search', models: ['huose-model'] };
    expect(await warningsAt(yaml('', apps))).toMatchObject([{ fields, message }]);
  });

  test('nothing if every app rejects them, or meters credits', async () => {
    const apps = `  - { name: search, unpriced: refuse }
  - { name: tutor, credits: { monthlyGrant: "1", usdPerCredit: "1" } }`;
    expect(await warningsAt(yaml('', apps))).toEqual([]);
  });

  test('no model that only the simulator serves', async () => {
    const text = 'company: acme\nplatforms: { sandbox: { kind: simulator } }\napps: [{ name: a }]';
    expect(await warningsAt(text)).toEqual([]);
  });
});

test(
  'startup reports recently used models without a catalog row; no misspelled ones',
  onStack(
    async (stack) => {
      await meetChat(stack, 'search', 'gpt-of-tomorrow');

      const { admin, config, clock } = stack;
      const lines: object[] = [];
      const warn = (fields: object) => void lines.push(fields);
      const none = () => undefined;
      const log = { warn, info: none, error: none, debug: none, request: none };
      const catalog = createCatalog({ ...config, shipped: [], clock });
      await reportUnpriced({ context: admin, config, catalog, log });
      expect(lines).toEqual([{ models: ['house-draft'], count: 1 }]);
      lines.length = 0;
      const used = "update usage_day set output_tokens = 4 where model = 'gpt-of-tomorrow'";
      await admin.store.write([{ sql: used, values: [] }]);
      await reportUnpriced({ context: admin, config, catalog, log });
      expect(lines).toEqual([{ models: ['gpt-of-tomorrow', 'house-draft'], count: 2 }]);
      await updateApp(admin, 'search', { unpriced: 'refuse' });
      lines.length = 0;
      await reportUnpriced({ context: admin, config, catalog, log });
      expect(lines).toEqual([]);
    },
    { yaml: yaml('', '  - { name: search }') },
  ),
);
