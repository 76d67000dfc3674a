import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { endOf, run } from '../../harness/process.ts';
import { createCatalog } from '../../packages/server/src/catalog/create-catalog.ts';
import { systemClock } from '../../packages/server/src/lib/clock.ts';
import { updateApp } from '../../packages/server/src/operations/apps/apps.ts';
import { savePrices } from '../../packages/server/src/operations/models/prices.ts';
import { bindProject } from '../../packages/server/src/operations/projects/bindings.ts';
import { readFocus, withVendors } from '../../packages/server/src/operations/reports/focus.ts';
import { focusLines } from '../../packages/server/src/reports/focus.ts';
import { openDirectStore } from '../../packages/server/src/store/sqlite/command-store.ts';
import { configOf } from '../../packages/server/test/config/load.ts';
import { createFocusRun, type FocusRun } from '../../packages/server/test/conformance/focus-run.ts';
import { type AttemptStep, prices } from '../../packages/server/test/conformance/focus-steps.ts';
import { adminOn, createStoreSubject } from '../../packages/server/test/conformance/subject.ts';

export const focusVersion = '2.2.1';

/** Why each failing rule may fail; any other failing rule is a finding. */
export const focusExceptions = [
  {
    ids: /^(InvoiceId-C-00\d-\w|CostAndUsage-D-033-O)$/,
    why: 'InvoiceId is recommended, and no invoice is known',
  },
  {
    ids: /^(PricingCurrency\w+-C-00\d-\w|CostAndUsage-D-0(4[678]|5[012456])-C)$/,
    why: 'columns of a second currency: the tool wants them where one of two conditions is met, and FOCUS where both are',
  },
  {
    ids: /^(Pricing|Consumed)Quantity-C-00[01]-\w$/,
    why: 'whole numbers are decimals, and the tool reads them as integers',
  },
] as const;

const yaml = `
company: acme
platforms:
  openai-eu: { kind: openai, apiKey: sk-of-openai }
  claude: { kind: anthropic, apiKey: sk-of-anthropic }
  aws: { kind: bedrock-mantle, region: eu-west-1, apiKey: key-of-aws }
  workers: { kind: openai-compatible, baseUrl: "https://workers.example/v1", apiKey: key }
  sandbox: { kind: simulator }
`;

/** A model for each kind of price, and its platform. */
const models = {
  plain: ['gpt-plain', 'openai-eu'],
  stepped: ['claude-stepped', 'claude'],
  tiered: ['mantle-tiered', 'aws'],
  zero: ['@cf/meta/llama-3.1-8b-instruct', 'workers'],
  flat: ['odd,"=model', 'sandbox'],
} as const;

/** Writes an export of November: calls of all kinds, estimates, and corrections of October. */
export async function writeFocus(file: string): Promise<void> {
  const config = configOf(yaml);
  const store = openDirectStore(':memory:');
  await createStoreSubject(store, ['search', 'tutor']);
  const catalog = createCatalog({ ...config, shipped: [], clock: systemClock });
  const all = Object.entries(prices).map(([model, price]) => ({ ...price, model }));
  await savePrices(store, all);
  const played = createFocusRun(store, catalog, Date.UTC(2026, 9, 29, 9));
  const admin = () => adminOn(store, played.now());
  await bindProject(admin(), { app: 'search', platform: 'claude', projectId: 'wrkspc_1' });
  await updateApp(admin(), 'search', { tags: { team: 'finders', 'cost-centre': '4711' } });
  for (let day = 0; day < 6; day++) {
    for (const app of ['search', 'tutor']) await playDay(played, app);
    played.wait(24);
  }
  for (let ago = 0; ago < 9; ago++) {
    await played.play({ kind: 'correct', ago: 110 + ago, amount: BigInt(ago) });
    await played.play({ kind: 'settle', ago: 130 + ago, share: 30 });
  }
  await updateApp(admin(), 'search', { tags: { team: 'sellers' } });
  const november = { from: '2026-11-01', to: '2026-11-30', apps: undefined };
  const charges = await readFocus(admin(), catalog, november);
  await store.close();
  const lines = await focusLines(charges, {
    ...config,
    platforms: withVendors(config.platforms),
    version: '1.2',
  });
  await writeFile(file, `${lines.join('\n')}\n`);
}

const tokens = {
  ...{ inputTokens: 700, cachedInputTokens: 100, cacheWriteInputTokens: 80, outputTokens: 55 },
  ...{ reasoningTokens: 0, cacheWrite1hInputTokens: 20 },
};

async function playDay(played: FocusRun, app: string): Promise<void> {
  const attempt = (price: keyof typeof models, more: Partial<AttemptStep> = {}): AttemptStep => {
    const [model, platform] = models[price];
    const rest = { tokens, searches: 2, amount: 12_345n, ...more };
    return { kind: 'exact', model, platform, price, ...rest };
  };
  for (const price of ['plain', 'stepped', 'tiered', 'zero', 'flat'] as const) {
    await played.play({ kind: 'call', app, attempts: [attempt(price)] });
    const lost = attempt(price, { kind: 'estimated' });
    await played.play({ kind: 'call', app, attempts: [lost] });
    await played.play({ kind: 'call', app, attempts: [lost, attempt(price)] });
  }
  const unpriced = attempt('plain', { price: 'none', model: 'of-no-price' });
  await played.play({ kind: 'call', app, attempts: [unpriced] });
  await played.play({ kind: 'lost', app, amount: 777n });
}

/** Checks an export by the rules of 1.2; rejects if a rule fails without an exception. */
export async function checkFocus(validator: string, folder: string): Promise<string> {
  const file = join(folder, 'focus.csv');
  await writeFocus(file);
  if (!/,Correction,/.test(await readFile(file, 'utf8'))) throw new Error('it has no correction');
  // The validator reads a file next to its own code.
  const packages = await run(join(dirname(validator), 'python'), ['-c', whereIsIt]);
  const { output } = await endOf(validator, optionsOf(file), { cwd: packages.trim() });
  const [, passed = ''] = /\| Pass: (\d+) \|/.exec(output) ?? [];
  if (passed === '') throw new Error(output.slice(-3_000));
  const failed = [...output.matchAll(/^- ([\w-]+): violations=.*$/gm)];
  const wrong = failed.filter(([, id = '']) => !focusExceptions.some(({ ids }) => ids.test(id)));
  if (wrong.length > 0) throw new Error(wrong.map(([line]) => line).join('\n'));
  return `${passed} rules passed, ${failed.length} failed by the exceptions`;
}

const whereIsIt =
  'import focus_validator, os; print(os.path.dirname(os.path.dirname(focus_validator.__file__)))';

function optionsOf(file: string): readonly string[] {
  return [
    ...['--data-file', file, '--validate-version', '1.2', '--block-download'],
    ...['--focus-dataset', 'CostAndUsage', '--applicability-criteria', criteria],
  ];
}

const criteria =
  'UNIT_PRICING_SUPPORTED,PUBLIC_PRICE_LIST_SUPPORTED,SUB_ACCOUNT_SUPPORTED,TAGGING_SUPPORTED';
