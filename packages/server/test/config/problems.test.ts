import { describe, expect, test } from 'vitest';
import { loadConfig } from '../../src/config/load-config.ts';
import { fileWith, problemsOf } from './load.ts';

describe('a file with many mistakes', () => {
  test('gets all of them at once, one line each', () => {
    const text = `
companny: acme
listen: { host: 127.0.0.1, port: 70000 }
store: mysql://root:hunter2@db/gateway
limits: { inFlight: many, modelCallMs: 0, stopDelayMs: -1 }
platforms:
  sandbox: { kind: simulator, apiKey: secret-key }
  cloud: { kind: bedrock-mantle }
  wrong: { kind: clod }
defaultPlatform: nowhere
plans: { user: { ratePerSecond: 0, burst: 1.5 } }
models:
  - { id: a, platform: sandbox, inputUsdPerMillion: "0.1234567", outputUsdPerMillion: "1" }
  - { id: a, platform: elsewhere }
  - { platform: sandbox, outputUsdPerMillion: "1" }
apps:
  - { name: search, dailyBudgetUsd: "10" }
  - { name: Search, dailyBudgetUsd: "ab" }
  - { name: search, dailyBudgetUSD: "1" }
  - { name: tutor, credits: { monthlyGrant: "0.3", usdPerCredit: "0.03" } }
`;
    expect(problemsOf(text)).toEqual([
      'companny: is an unknown key; did you mean "company"? The keys are company, adminEmail, publicUrl, listen, admin, console, trustedProxies, store and 18 more',
      'company: is required',
      'platforms.sandbox.apiKey: the kind simulator does not support apiKey; supported: baseUrl',
      'platforms.cloud.region: is required',
      'platforms.wrong.kind: must be one of simulator, openai-compatible, openai, anthropic, bedrock-mantle, ai-sdk; it is "clod"',
      'plans.user.ratePerSecond: must be a number above 0; it is "0"',
      'plans.user.burst: must be a whole number from 1 to 1000000000000; it is "1.5"',
      'listen.port: must be a whole number from 0 to 65535; it is "70000"',
      'store: must be a store such as sqlite:./data/gateway.db or postgres://user:password@host:5432/database',
      'limits.modelCallMs: must be a whole number of milliseconds from 1 to 2147483647; it is "0"',
      'limits.stopDelayMs: must be a whole number of milliseconds from 0 to 2147483647; it is "-1"',
      'limits.inFlight: must be a whole number from 1 to 1000000000000; it is "many"',
      'defaultPlatform: must be one of the platforms sandbox, cloud, wrong; it is "nowhere"',
      'models[0].inputUsdPerMillion: must be a price in USD per million tokens, with at most six decimals, such as "0.15", up to 100000; it is "0.1234567"',
      'models[1].id: "a" is already used at models[0].id',
      'models[1].platform: must be one of the platforms sandbox, cloud, wrong; it is "elsewhere"',
      'models[2].id: is required',
      'apps[1].name: must be the name of an app: a-z, 0-9 and "-", a letter first, at most 63 characters; it is "Search"',
      'apps[1].dailyBudgetUsd: must be a decimal amount in USD, such as "20" or "0.50"; it is "ab"',
      'apps[2].dailyBudgetUSD: is an unknown key; did you mean "dailyBudgetUsd"? The keys are name, enabled, dailyBudgetUsd, monthlyBudgetUsd, perUserDailyUsd, models, credits, requirePriced and 11 more',
      'apps[2].name: "search" is already used at apps[0].name',
      'apps[3].credits.usdPerCredit: "0.03" does not divide into exact decimal credits; in units of 1e-12 USD its only prime factors must be 2 and 5, for example "0.01", "0.025" or "1"',
    ]);
  });
});

const rows: readonly { name: string; text: string; problems: readonly string[] }[] = [
  {
    name: 'nothing in it',
    text: '',
    problems: ['company: is required', 'platforms: is required'],
  },
  {
    name: 'comments alone',
    text: '# company: acme\n',
    problems: ['company: is required', 'platforms: is required'],
  },
  {
    name: 'a list in place of sections',
    text: '- company: acme\n',
    problems: ['the file: must be a section, such as { key: value }'],
  },
  {
    name: 'no platform',
    text: 'company: acme\nplatforms: {}\n',
    problems: ['platforms: requires at least one platform, such as sandbox: { kind: simulator }'],
  },
  {
    name: 'a key twice',
    text: fileWith('  sandbox: { kind: simulator }\ncompany: other\n'),
    problems: ['platforms.sandbox: appears twice', 'company: appears twice'],
  },
  {
    name: 'an app without a value',
    text: fileWith('apps:\n  - { name: search, models: , dailyBudgetUsd: ~ }\n'),
    problems: [
      'apps[0].dailyBudgetUsd: is empty; set a value, or remove the key',
      'apps[0].models: must be a list, such as [a, b]',
    ],
  },
  {
    name: 'an amount that no 64-bit integer holds',
    text: fileWith('apps: [{ name: search, dailyBudgetUsd: 9223372.036854775808 }]'),
    problems: [
      'apps[0].dailyBudgetUsd: must be at most 9223372.036854775807 USD; it is "9223372.036854775808"',
    ],
  },
  {
    name: 'a grant that does not convert exactly',
    text: fileWith(
      'apps: [{ name: a, credits: { monthlyGrant: 0.5, usdPerCredit: "0.000000000001" } }]',
    ),
    problems: [
      'apps[0].credits.monthlyGrant: "0.5" credits must equal a whole number of 1e-12 USD; use fewer decimals',
    ],
  },
  {
    name: 'a grant that is too much',
    text: fileWith('apps: [{ name: a, credits: { monthlyGrant: 9000001, usdPerCredit: 2 } }]'),
    problems: [
      'apps[0].credits.monthlyGrant: must be at most 9223372.036854775807 USD; it is "9000001"',
    ],
  },
  {
    name: 'a worthless credit, and half of the section',
    text: fileWith('apps: [{ name: a, credits: { usdPerCredit: 0 } }]'),
    problems: [
      'apps[0].credits.usdPerCredit: a credit must be worth more than 0',
      'apps[0].credits.monthlyGrant: is required',
    ],
  },
  {
    name: 'half a price',
    text: fileWith('models: [{ id: a, platform: sandbox, cachedInputUsdPerMillion: 1 }]'),
    problems: [
      'models[0].cachedInputUsdPerMillion: a price also requires inputUsdPerMillion and outputUsdPerMillion',
    ],
  },
  {
    name: 'two apps on one project',
    text: fileWith('apps: [{ name: a }, { name: b, project: prod-acme-core-a }]'),
    problems: ['apps[1].project: "prod-acme-core-a" is already the project of a'],
  },
  {
    name: 'two words for what happens to models without a price, which contradict each other',
    text: fileWith(`unpriced: maybe
apps:
  - { name: a, requirePriced: true, unpriced: free }
  - { name: b, requirePriced: false, unpriced: refuse }
  - { name: c, requirePriced: true, unpriced: refuse }`),
    problems: [
      'unpriced: must be one of highest, dearest, refuse, free; it is "maybe"',
      'apps[0].requirePriced: true conflicts with unpriced: free; remove requirePriced (deprecated, same as unpriced: refuse)',
      'apps[1].requirePriced: false conflicts with unpriced: refuse; remove requirePriced (deprecated, same as unpriced: refuse)',
    ],
  },
  {
    name: 'projects that differ by spaces, and the project of everybody',
    text: fileWith(
      'apps: [{ name: a, project: x }, { name: b, project: "x " }, { name: c, project: " Default" }]',
    ),
    problems: [
      'apps[1].project: "x" is already the project of a',
      'apps[2].project: " Default" is the project of all calls without one; use another project',
    ],
  },
  {
    name: 'platforms that lack what their kind needs',
    text: `company: acme
platforms:
  a: { kind: openai }
  b: { kind: openai-compatible, baseUrl: "ftp://x" }
  c: { kind: ai-sdk, package: "Not A Package", region: x }
  d: { kind: anthropic, apiKey: none, baseUrl: "https://user:hunter2@host" }
  "e e": { kind: simulator }
`,
    problems: [
      'platforms.a.apiKey: is required; set none if the platform needs no key',
      'platforms.b.baseUrl: must be a URL that starts with http:// or https://; it is "ftp://x"',
      'platforms.c.region: the kind ai-sdk does not support region; supported: baseUrl, package, options',
      'platforms.c.package: must be the name of an npm package; it is "Not A Package"',
      'platforms.d.baseUrl: must not contain a user or a password; use apiKey',
      'platforms["e e"]: must be a name of letters, digits, "-", "_" and "."',
    ],
  },
  {
    name: 'a model that no call could name',
    text: fileWith(`models: [{ id: "${'x'.repeat(129)}", platform: sandbox }]`),
    problems: ['models[0].id: takes at most 128 characters; it has 129'],
  },
  {
    name: 'YAML that ends too early',
    text: 'company: acme\nplatforms: { sandbox: { kind: simulator }\n',
    problems: [
      'line 2, column 12: the { here is not closed; add } at the end of line 2, or where it ends',
    ],
  },
  {
    name: 'a variable without quotes inside braces',
    text: fileWith(`listen: { port: \${PORT} }`),
    problems: [`listen.port: \${PORT} needs quotes between braces or brackets; write "\${PORT}"`],
  },
  {
    name: 'a second document',
    text: fileWith('---\ncompany: other\n'),
    problems: ['line 4, column 1: a second YAML document starts here; remove the line "---"'],
  },
];

describe('a file with', () => {
  test.each(rows)('$name', ({ text, problems }) => {
    expect(problemsOf(text)).toEqual(problems);
  });

  test('endless aliases is rejected in one line', () => {
    const text = fileWith('apps: &apps [*apps, *apps]');
    expect(problemsOf(text)).toHaveLength(1);
  });
});

describe('a file that cannot be read', () => {
  test.each([
    [
      'ENOENT',
      'the file does not exist; use --config FILE or MODEL_GATEWAY_CONFIG, or create one with "model-gateway init"',
    ],
    ['EACCES', 'the configuration cannot be read (EACCES)'],
  ])('is one line: %s', (code, sentence) => {
    const readFile = () => {
      throw Object.assign(new Error('no'), { code });
    };
    const loaded = loadConfig({ file: '/x/gateway.yaml', environment: {}, readFile });
    expect(loaded).toEqual({ problems: [`/x/gateway.yaml: ${sentence}`] });
  });
});

describe('the content of a problem', () => {
  test('is the variable, never its value', () => {
    const text = fileWith(`listen: { port: "\${PORT}" }\nadminEmail: "\${MAIL}"\n`);
    const problems = problemsOf(text, { PORT: 'hunter2', MAIL: 'hunter2' });
    expect(problems).toEqual([
      `adminEmail: must be an e-mail address; it is "\${MAIL}"`,
      `listen.port: must be a whole number from 0 to 65535; it is "\${PORT}"`,
    ]);
  });

  test.each([
    'store: "mysql://root:hunter2@db"',
    'defaultPlatform: *hunter2',
    'platforms: hunter2"',
    'adminEmail: !hunter2 x',
    'platforms: { a: { kind: openai, apiKey: "hunter2\\u0007" } }',
  ])('has no secret of %s', (line) => {
    const problems = problemsOf(`company: acme\n${line}\n`);
    expect(problems).not.toEqual([]);
    expect(problems.join('\n')).not.toContain('hunter2');
  });
});
