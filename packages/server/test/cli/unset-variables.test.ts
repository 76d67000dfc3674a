import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Desk, openDesk } from './support/desk.ts';

/** A file without any set variable except the store's. */
const yaml = `
company: acme
store: "\${STORE_URL}"
publicUrl: "\${PUBLIC_URL}"
listen: { host: "\${HOST}", port: "\${CALLERS_PORT}" }
console:
  oidc: { issuer: "\${ISSUER}", clientId: "\${CLIENT}", clientSecret: "\${CLIENT_SECRET}", roles: { ops: operator } }
tracing: { otlp: "\${COLLECTOR}", headers: { authorization: "\${COLLECTOR_KEY}" } }
platforms:
  cloud: { kind: openai, apiKey: "\${CLOUD_KEY}", adminApiKey: "\${CLOUD_ADMIN_KEY}" }
  local: { kind: openai-compatible, baseUrl: "\${LOCAL_URL}", apiKey: "\${LOCAL_KEY}" }
  other: { kind: ai-sdk, package: "@ai-sdk/mistral", options: { apiKey: "\${OTHER_KEY}" } }
models:
  - { id: house-model, platform: local, inputUsdPerMillion: "1", outputUsdPerMillion: "2" }
apps:
  - { name: search, dailyBudgetUsd: "5" }
  - { name: tutor, credits: { monthlyGrant: "1000", usdPerCredit: "0.01" } }
notify:
  - { name: chat, url: "https://hooks.example/\${CHAT_TOKEN}", format: slack }
  - { name: pager, url: "\${PAGER_URL}", secret: ["\${PAGER_SECRET}"] }
`;

let desk: Desk;
let keyId: string;

beforeAll(async () => {
  desk = await openDesk({ yaml, environment: { STORE_URL: 'sqlite:./gateway.db' } });
  const key = await desk.record(['keys', 'issue', '--app', 'search', '--email', 'a@acme.example']);
  keyId = String(key.id);
});

afterAll(() => desk.close());

/** The variables that a command reports as missing, in order. */
async function missingOf(commandLine: readonly string[]): Promise<readonly string[]> {
  const { code, errors } = await desk.run([...commandLine, '--config', desk.file]);
  expect(code).toBe(2);
  const lines = errors
    .flatMap((line) => line.split('\n'))
    .filter((line) => !line.startsWith('in /'));
  return lines.map((line) => {
    const [, name = line] =
      /^[\w.[\]]+: the environment variable (\w+) is not set; set it, or set \1_FILE to the path of a file with the value$/.exec(
        line,
      ) ?? [];
    return name;
  });
}

describe('a command that works only on the store', () => {
  test.each([
    ['apps', 'list'],
    ['apps', 'update', 'search', '--daily-budget-usd', '6'],
    ['audit'],
    ['backup', 'BACKUP'],
    ['budgets', 'list'],
    ['budgets', 'set', 'all', '--apps', 'search', '--daily-usd', '9'],
    ['budgets', 'show', 'all'],
    ['calls', 'list'],
    ['calls', 'reprice', '--model', 'house-model', '--since', '2026-11-01', '--dry-run'],
    ['config', 'schema'],
    ['console', 'login'],
    ['days', 'close', 'search', '--dry-run'],
    ['days', 'reopen', '--all', '--dry-run'],
    ['holds', 'list'],
    ['keys', 'list'],
    ['keys', 'disable', 'KEY'],
    ['keys', 'enable', 'KEY'],
    ['log', 'list'],
    ['migrate'],
    ['models', 'list'],
    ['models', 'check'],
    ['models', 'import'],
    ['notify', 'list'],
    ['projects', 'bind', 'search', 'cloud', 'proj_1'],
    ['projects', 'destroy', '--dry-run'],
    ['reconcile', 'show'],
    ['reconcile', 'settle', '--day', '2026-11-01', '--dry-run'],
    ['report', '--month', '2026-11'],
    ['report', '--month', '2026-11', '--format', 'focus'],
    ['report', '--month', '2026-11', '--estimates'],
    ['rollups', 'rebuild'],
    ['runs', 'list'],
    ['tokens', 'list'],
    ['usage'],
    ['usage', 'search'],
    ['users', 'erase', 'tutor', 'ada', '--dry-run'],
    ['wallets', 'show', 'tutor', 'ada'],
    ['wallets', 'top-up', 'tutor', 'ada', '5'],
  ])('%s %s needs only the secret of the store', async (...commandLine) => {
    const words = commandLine.map((word) => (word === 'KEY' ? keyId : word));
    const there = words.map((word) => (word === 'BACKUP' ? join(desk.folder, 'copy.db') : word));
    const { code, errors } = await desk.run([...there, '--config', desk.file]);
    expect(errors.join('\n')).not.toMatch(/environment variable|\$\{/);
    // Where nothing is closed, there is nothing to reopen.
    expect({ code, errors }).toMatchObject({ code: commandLine[1] === 'reopen' ? 1 : 0 });
  });

  test('names it if it is missing, and nothing else', async () => {
    const bare = await openDesk({ yaml });
    const { code, errors } = await bare.run(['usage', '--config', bare.file]);
    await bare.close();
    expect({ code, errors }).toEqual({
      code: 2,
      errors: [
        'store: the environment variable STORE_URL is not set; set it, or set STORE_URL_FILE to the path of a file with the value',
      ],
    });
  });

  test('reads it from a file, readable or not', async () => {
    const secret = join(desk.folder, 'store-url');
    await writeFile(secret, 'sqlite:./gateway.db\n');
    for (const [STORE_URL_FILE, expected] of [
      [secret, { code: 0, errors: [] }],
      [
        '/nowhere',
        { code: 2, errors: ['store: STORE_URL_FILE: /nowhere cannot be read (ENOENT)'] },
      ],
    ] as const) {
      const other = await openDesk({ yaml, environment: { STORE_URL_FILE } });
      const { code, errors } = await other.run(['keys', 'list', '--config', other.file]);
      await other.close();
      expect({ code, errors }).toEqual(expected);
    }
  });

  test('shows a webhook without its unknown URL', async () => {
    expect(await desk.records(['notify', 'list'])).toMatchObject([
      { name: 'chat', state: 'on', origin: null },
      { name: 'pager', state: 'on', origin: null },
    ]);
  });
});

describe('a command that calls others names its needs, a line each', () => {
  const platforms = [
    ...['CLOUD_KEY', 'CLOUD_ADMIN_KEY'],
    ...['LOCAL_URL', 'LOCAL_KEY', 'OTHER_KEY'],
  ];
  const everything = [
    ...['PUBLIC_URL', 'HOST', 'CALLERS_PORT', 'ISSUER', 'CLIENT', 'CLIENT_SECRET'],
    ...['COLLECTOR', 'COLLECTOR_KEY', ...platforms, 'CHAT_TOKEN', 'PAGER_URL', 'PAGER_SECRET'],
  ];

  test.each([
    [['serve'], everything],
    [['config', 'check'], everything],
    [['config', 'diff'], everything],
    [['platforms', 'check'], platforms],
    [
      ['platforms', 'check', 'local'],
      ['LOCAL_URL', 'LOCAL_KEY'],
    ],
    [['projects', 'plan'], platforms],
    [['projects', 'apply'], platforms],
    [
      ['reconcile', 'fetch', '--platform', 'cloud', '--from', '2026-11-01', '--to', '2026-11-02'],
      ['CLOUD_KEY', 'CLOUD_ADMIN_KEY'],
    ],
    [['notify', 'test', 'chat'], ['CHAT_TOKEN']],
    [
      ['notify', 'test', 'pager'],
      ['PAGER_URL', 'PAGER_SECRET'],
    ],
  ])('%j', async (commandLine, names) => {
    expect(await missingOf(commandLine)).toEqual(names);
  });
});
