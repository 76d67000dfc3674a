import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { parseDocument } from 'yaml';
import { configSchema } from '../../src/config/file-keys.ts';
import { problemsOf } from './load.ts';

/** A valid file. */
const least = `company: acme
platforms:
  sandbox: { kind: simulator }
  local: { kind: openai-compatible, baseUrl: "http://127.0.0.1:9/v1", apiKey: none }
`;

/**
 * Files as people break them, with the reported problems: one line a fault, with its place and the
 * correction.
 */
const files: readonly (readonly [name: string, text: string, problems: readonly string[]])[] = [
  [
    'a missing colon at the top',
    least.replace('company:', 'company'),
    ['line 1, column 1: a colon is missing after the key; write it as "key: value"'],
  ],
  [
    'a missing colon before a section',
    least.replace('platforms:', 'platforms'),
    ['line 2, column 1: a colon is missing after the key; write it as "key: value"'],
  ],
  [
    'a missing colon in a section',
    `${least}listen:\n  host: 127.0.0.1\n  port 8787\n`,
    ['line 7, column 3: a colon is missing after the key; write it as "key: value"'],
  ],
  [
    'a missing colon in the only line of a section',
    `${least}listen:\n  port 8787\n`,
    ['listen: must be a section, such as { key: value }; is a colon missing after the key?'],
  ],
  [
    'a missing colon between braces',
    `${least}listen: { port 8787 }\n`,
    ['listen.port: has no colon; use port: …'],
  ],
  [
    'a missing colon before a secret',
    'company: acme\nplatforms: { a: { kind: openai, apiKey hunter2 } }\n',
    ['platforms.a.apiKey: has no colon; use apiKey: …'],
  ],
  [
    'a missing colon after a wrong key before a secret',
    'company: acme\nplatforms: { a: { kind: openai, apiKye hunter2, apiKey: none } }\n',
    [
      'platforms.a.apiKye: is an unknown key; did you mean "apiKey"? The keys are kind, baseUrl, apiKey, adminApiKey, region, tier, priceFactor, package and 6 more',
    ],
  ],
  [
    'an unclosed brace',
    least.replace('simulator }', 'simulator'),
    ['line 3, column 12: the { here is not closed; add } at the end of line 3, or where it ends'],
  ],
  [
    'an unclosed brace in the last line',
    `${least}listen: { port: 8787\n`,
    ['line 5, column 9: the { here is not closed; add } at the end of line 5, or where it ends'],
  ],
  [
    'an unclosed bracket',
    `${least}apps:\n  - { name: search, models: [a, b }\n`,
    ['line 6, column 29: the [ here is not closed; add ] at the end of line 6, or where it ends'],
  ],
  [
    'an unclosed quote',
    `${least}adminEmail: "admin@acme.example\npublicUrl: https://x.example\n`,
    ['line 5, column 13: the " here is not closed; add " where it ends'],
  ],
  [
    'an unclosed single quote',
    `${least}adminEmail: 'admin@acme.example\n`,
    ["line 5, column 13: the ' here is not closed; add ' where it ends"],
  ],
  [
    'a brace too many',
    `${least}listen: { port: 8787 }}\n`,
    [
      'line 5, column 23: this line has an extra character, or lacks quotes or a comma before this column',
    ],
  ],
  [
    'a tab',
    `${least}listen:\n\tport: 8787\n`,
    ['line 6, column 1: a tab cannot indent a line; use spaces'],
  ],
  [
    'a key that is indented too deep',
    'company: acme\n  adminEmail: a@acme.example\n',
    [
      'line 1, column 10: the next line is indented deeper although this key has a value; start both in the same column',
    ],
  ],
  [
    'an item that is indented too little',
    `${least}apps:\n  - name: search\n    enabled: true\n models: [a]\n`,
    [
      'line 8, column 1: this key starts in a different column than the keys above; start it in the same column',
    ],
  ],
  [
    'a value with a colon and a space',
    `${least}adminEmail: mail: admin@acme.example\n`,
    ['line 5, column 13: a value with ": " in it needs quotes; put "…" around it'],
  ],
  [
    'a value that starts with @',
    `${least}adminEmail: @acme.example\n`,
    ['line 5, column 13: a value that starts with this character needs quotes; put "…" around it'],
  ],
  [
    'a variable without quotes between braces',
    `company: acme\nplatforms:\n  openai: { kind: openai, apiKey: \${X} }\n  sandbox: { kind: simulator }\n`,
    [`platforms.openai.apiKey: \${X} needs quotes between braces or brackets; write "\${X}"`],
  ],
  [
    'two variables without quotes',
    `company: acme\nplatforms:\n  openai: { kind: openai, apiKey: \${X}, adminApiKey: \${Y} }\n`,
    [
      `platforms.openai.apiKey: \${X} needs quotes between braces or brackets; write "\${X}"`,
      `platforms.openai.adminApiKey: \${Y} needs quotes between braces or brackets; write "\${Y}"`,
    ],
  ],
  [
    'a variable that is not set',
    `company: acme\nplatforms:\n  openai:\n    kind: openai\n    apiKey: \${X}\n    adminApiKey: \${X}\n`,
    [
      'platforms.openai.apiKey: the environment variable X is not set; set it, or set X_FILE to the path of a file with the value (also at platforms.openai.adminApiKey)',
    ],
  ],
  [
    'a variable without a name',
    `${least}adminEmail: "\${}"\n`,
    [`adminEmail: has "\${" without the name of a variable; use \${NAME}`],
  ],
  [
    'a second document',
    `${least}---\ncompany: other\n`,
    ['line 5, column 1: a second YAML document starts here; remove the line "---"'],
  ],
  [
    'a key of the file with a typo',
    `${least}platform: {}\n`,
    [
      'platform: is an unknown key; did you mean "platforms"? The keys are company, adminEmail, publicUrl, listen, admin, console, trustedProxies, store and 18 more',
    ],
  ],
  [
    'a key of an app without its unit',
    `${least}apps: [{ name: a, dailyBudget: 5 }]\n`,
    [
      'apps[0].dailyBudget: is an unknown key; did you mean "dailyBudgetUsd"? The keys are name, enabled, dailyBudgetUsd, monthlyBudgetUsd, perUserDailyUsd, models, credits, requirePriced and 11 more',
    ],
  ],
  [
    'a key of an app that is like none',
    `${least}apps: [{ name: a, zzz: 5 }]\n`,
    [
      'apps[0].zzz: is an unknown key; write one of name, enabled, dailyBudgetUsd, monthlyBudgetUsd, perUserDailyUsd, models, credits, requirePriced and 11 more',
    ],
  ],
  [
    'a kind with an underscore',
    least.replace('openai-compatible', 'openai_compatible'),
    [
      'platforms.local.kind: must be one of simulator, openai-compatible, openai, anthropic, bedrock-mantle, ai-sdk; it is "openai_compatible"; did you mean "openai-compatible"?',
    ],
  ],
  [
    'a platform of a model with a typo',
    `${least}models: [{ id: a, platform: locl }]\n`,
    [
      'models[0].platform: must be one of the platforms sandbox, local; it is "locl"; did you mean "local"?',
    ],
  ],
  [
    'a default platform with a typo',
    `${least}defaultPlatform: locl\n`,
    [
      'defaultPlatform: must be one of the platforms sandbox, local; it is "locl"; did you mean "local"?',
    ],
  ],
  [
    'an unknown policy',
    `${least}unpriced: dearst\n`,
    [
      'unpriced: must be one of highest, dearest, refuse, free; it is "dearst"; did you mean "dearest"?',
    ],
  ],
  [
    'apps as a map',
    `${least}apps:\n  search: { dailyBudgetUsd: 5 }\n`,
    [
      'apps: must be a list, not a section; write "- name: search" with its other keys below it, and the same for each entry',
    ],
  ],
  [
    'models as a map',
    `${least}models:\n  house: { platform: local }\n`,
    [
      'models: must be a list, not a section; write "- id: house" with its other keys below it, and the same for each entry',
    ],
  ],
  [
    'a list as a section',
    `${least}listen: [8787]\n`,
    ['listen: must be a section, such as { key: value }'],
  ],
  [
    'a section as a value',
    `${least}company2: x\nadminEmail: { a: b }\n`,
    [
      'company2: is an unknown key; did you mean "company"? The keys are company, adminEmail, publicUrl, listen, admin, console, trustedProxies, store and 18 more',
      'adminEmail: must be a single value, not a list or a section',
    ],
  ],
  ['a key twice', `${least}company: other\n`, ['company: appears twice']],
  [
    'an amount in words',
    `${least}apps: [{ name: a, dailyBudgetUsd: five }]\n`,
    [
      'apps[0].dailyBudgetUsd: must be a decimal amount in USD, such as "20" or "0.50"; it is "five"',
    ],
  ],
  [
    'an amount with a currency',
    `${least}apps: [{ name: a, dailyBudgetUsd: $5 }]\n`,
    ['apps[0].dailyBudgetUsd: must be a decimal amount in USD, such as "20" or "0.50"; it is "$5"'],
  ],
  [
    'an amount with a comma',
    `${least}apps: [{ name: a, dailyBudgetUsd: "5,50" }]\n`,
    [
      'apps[0].dailyBudgetUsd: must be a decimal amount in USD, such as "20" or "0.50"; it is "5,50"',
    ],
  ],
  [
    'a negative amount',
    `${least}apps: [{ name: a, dailyBudgetUsd: -5 }]\n`,
    ['apps[0].dailyBudgetUsd: must be a decimal amount in USD, such as "20" or "0.50"; it is "-5"'],
  ],
  [
    'a port in words',
    `${least}listen: { port: http }\n`,
    ['listen.port: must be a whole number from 0 to 65535; it is "http"'],
  ],
  [
    'a port that is too high',
    `${least}listen: { port: 70000 }\n`,
    ['listen.port: must be a whole number from 0 to 65535; it is "70000"'],
  ],
  [
    'an app with a capital letter',
    `${least}apps: [{ name: Search }]\n`,
    [
      'apps[0].name: must be the name of an app: a-z, 0-9 and "-", a letter first, at most 63 characters; it is "Search"',
    ],
  ],
  [
    'an app twice',
    `${least}apps: [{ name: a }, { name: a }]\n`,
    ['apps[1].name: "a" is already used at apps[0].name'],
  ],
  [
    'an app without a name',
    `${least}apps: [{ dailyBudgetUsd: 5 }]\n`,
    ['apps[0].name: is required'],
  ],
  [
    'a URL without a scheme',
    least.replace('http://127', '127'),
    [
      'platforms.local.baseUrl: must be a URL that starts with http:// or https://; it is "127.0.0.1:9/v1"',
    ],
  ],
  [
    'a platform without its key',
    'company: acme\nplatforms: { a: { kind: openai } }\n',
    ['platforms.a.apiKey: is required; set none if the platform needs no key'],
  ],
  ['no platform', 'company: acme\n', ['platforms: is required']],
  ['nothing', '', ['company: is required', 'platforms: is required']],
  [
    'a sslmode with a typo',
    `${least}store: postgres://gateway:hunter2@db/gateway?sslmode=bogus\n`,
    [
      'store: its sslmode must be one of disable, allow, prefer, require, verify-ca, verify-full, no-verify; it is "bogus"',
    ],
  ],
  [
    'a sslmode that is nearly one',
    `${least}store: postgres://gateway:hunter2@db/gateway?sslmode=verify-ful\n`,
    [
      'store: its sslmode must be one of disable, allow, prefer, require, verify-ca, verify-full, no-verify; it is "verify-ful"; did you mean "verify-full"?',
    ],
  ],
  [
    'a store of another database',
    `${least}store: mysql://root:hunter2@db/gateway\n`,
    [
      'store: must be a store such as sqlite:./data/gateway.db or postgres://user:password@host:5432/database',
    ],
  ],
  [
    'an event with a typo',
    least +
      'notify: [{ name: chat, url: "https://h.example/hunter2", format: slack, events: [budget.refusd] }]\n',
    [
      'notify[0].events[0]: must be one of budget.threshold, budget.refused, budget.forecast, budget.overrun, budget.closed, wallet.low, platform.circuit_opened, platform.circuit_closed and 15 more; it is "budget.refusd"; did you mean "budget.refused"?',
    ],
  ],
];

/** Files that look broken, and are valid. */
const right: readonly (readonly [name: string, text: string])[] = [
  ['lines of Windows', least.replaceAll('\n', '\r\n')],
  ['a byte order mark', `\u{feff}${least}`],
  ['JSON', '{ "company": "acme", "platforms": { "sandbox": { "kind": "simulator" } } }'],
  ['a number for an amount', `${least}apps: [{ name: a, dailyBudgetUsd: 0.50 }]\n`],
  ['text for a port', `${least}listen: { port: "8787" }\n`],
  ['a section that is commented out', `${least}listen:\n#  port: 8787\n`],
  // "config check" reports both as warnings.
  ['a model of an app that no row has', `${least}apps: [{ name: a, models: [gpt-5-typo] }]\n`],
  ['equal ports', `${least}listen: { port: 8787 }\nadmin: { port: 8787 }\n`],
];

/** JSON Schema cannot compare two places, and cannot read a variable or a parameter of a URL. */
const beyondSchema: ReadonlySet<string> = new Set([
  'a variable that is not set',
  'a platform of a model with a typo',
  'a default platform with a typo',
  'a key twice',
  'an app twice',
  'a sslmode with a typo',
  'a sslmode that is nearly one',
]);

describe('a file with', () => {
  test.each(files)('%s', (_name, text, problems) => {
    const found = problemsOf(text);
    expect(found).toEqual(problems);
    expect(found.join('\n')).not.toContain('hunter2');
  });

  test.each(right)('%s is valid', (_name, text) => {
    expect(problemsOf(text)).toEqual([]);
  });
});

test('the JSON Schema accepts the same files', () => {
  const takes = new Ajv({ allowUnionTypes: true, strictRequired: false }).compile(configSchema());
  const read = [...files, ...right].map(([name, text]) => ({
    name,
    document: parseDocument(text, { uniqueKeys: false }),
  }));
  const accepted = read.filter(({ document }) => {
    return document.errors.length === 0 && takes(document.toJS());
  });
  expect(accepted.map(({ name }) => name)).toEqual([
    ...beyondSchema,
    ...right.map(([name]) => name),
  ]);
});
