import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { loadConfig, loadParts } from '../../src/config/load-config.ts';
import type { Part } from '../../src/config/parts.ts';

/** A value in almost every section. A test replaces each `<…>` by a variable. */
const file = `
company: <acme>
adminEmail: <admin@acme.example>
publicUrl: <https://gateway.acme.example>
listen: { host: <127.0.0.1>, port: <8787> }
admin: { host: <127.0.0.1>, port: <8788>, hosts: [<gateway.acme.example>] }
console:
  enabled: <true>
  url: <https://admin.acme.example>
  sessionHours: <12>
  oidc:
    issuer: <https://login.acme.example>
    clientId: <gateway>
    clientSecret: <client-secret>
    scopes: [<openid>, <email>]
    roleClaim: <groups>
    roles: { ops: <operator>, search: <team> }
    teams: { search: [<search>] }
  teams: { wallets: <false> }
trustedProxies: [<10.0.0.0/8>]
store: <sqlite:./data/gateway.db>
threads: <1>
limits: { modelCallMs: <26000>, bodyBytes: <4194304> }
audit: { dailyAt: <03:00> }
tracing: { otlp: <http://127.0.0.1:4318>, sample: <0.5>, headers: { authorization: <bearer-secret> } }
usage: { retentionDays: <400> }
streaming: <true>
streams: { idleMs: <26000> }
ingress: { openai: <true>, anthropic: <true> }
retry: { attempts: <3> }
platforms:
  openai: { kind: <openai>, apiKey: <sk-openai>, adminApiKey: <sk-openai-admin>, tier: <flex> }
  local: { kind: <openai-compatible>, baseUrl: <http://127.0.0.1:9/v1>, apiKey: <sk-local>, priceFactor: <0.9> }
  other: { kind: <ai-sdk>, package: <@ai-sdk/mistral>, options: { apiKey: <sk-other>, more: [<x>] } }
defaultPlatform: <local>
plans: { user: { ratePerSecond: <50>, burst: <100> } }
unpriced: <refuse>
logPlatformErrors: <false>
models:
  - { id: <house>, platform: <local>, inputUsdPerMillion: <1>, outputUsdPerMillion: <2>, contextTokens: <1000>, maxOutputTokens: <100> }
  - { id: <chat>, route: [<house>], fallbackOn: [<throttled>] }
apps:
  - { name: <search>, dailyBudgetUsd: <5>, models: [<house>], projects: { openai: <proj_1> } }
  - { name: <tutor>, credits: { monthlyGrant: <1000>, usdPerCredit: <0.01> }, tags: { team: <learning> } }
budgets:
  - { name: <all>, apps: [<search>, <tutor>], dailyUsd: <20> }
notify:
  - { name: <chat>, url: <https://hooks.example/1>, secret: [<whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz>], events: [<budget>], at: [<50>], apps: [<search>] }
`;

const values = [...file.matchAll(/<([^>]*)>/g)].map(([, value = '']) => value);

/** The file with variables at these places, and text everywhere else. */
function withVariables(isVariable: (place: number) => boolean): string {
  let place = -1;
  return file.replace(/<([^>]*)>/g, (_found, value: string) => {
    place++;
    return isVariable(place) ? `"\${V${place}}"` : `"${value}"`;
  });
}

function source(text: string, environment: Readonly<Record<string, string>> = {}) {
  return { file: '/etc/gateway/gateway.yaml', environment, readFile: () => text };
}

function problemsOf(loaded: object): readonly string[] {
  return 'problems' in loaded && Array.isArray(loaded.problems) ? loaded.problems : [];
}

const places = values.map((value, place) => [place, value] as const);

/** The path of each place, as a service without any of the variables reports it. */
const paths = problemsOf(loadConfig(source(withVariables(() => true)))).map(
  (line) => line.split(':')[0] ?? '',
);

/** The paths that each part reads, in addition to the store's. */
const needed: readonly (readonly [Part | 'the store', RegExp])[] = [
  ['the store', /^$/],
  ['apps', /^(apps|plans)|^platforms\.\w+\.kind/],
  ['budgets', /^budgets/],
  ['catalog', /^(models|defaultPlatform)|^platforms\.\w+\.(kind|region|tier|priceFactor)/],
  ['login', /^(admin\.|console\.url)/],
  ['hooks', /^notify\[0\]\.(name|format|events|at|apps)/],
  ['notify', /^notify/],
  ['platformNames', /^platforms\.\w+\.kind/],
  ['platforms', /^platforms/],
];

test('the file itself is valid, as text and as variables', () => {
  const environment = Object.fromEntries(places.map(([place, value]) => [`V${place}`, value]));
  const asText = loadConfig(source(withVariables(() => false)));
  expect(problemsOf(asText)).toEqual([]);
  const asVariables = loadConfig(
    source(
      withVariables(() => true),
      environment,
    ),
  );
  expect(problemsOf(asVariables)).toEqual([]);
});

describe('one unset variable', () => {
  test('is one line for a service, for any value', () => {
    const wrong = places.filter(([place]) => {
      const problems = problemsOf(loadConfig(source(withVariables((each) => each === place))));
      const [problem = ''] = problems;
      const line = new RegExp(
        `^[\\w.[\\]]+: the environment variable V${place} is not set; set it, or set V${place}_FILE to the path of a file with the value$`,
      );
      return problems.length !== 1 || !line.test(problem);
    });
    expect(wrong).toEqual([]);
  });

  test.each(needed)('stops a command that names %s only if it needs it', (part, pattern) => {
    const stopped = places.flatMap(([place]) => {
      const text = withVariables((each) => each === place);
      const loaded = loadParts(source(text), { parts: part === 'the store' ? [] : [part] });
      if ('config' in loaded) {
        const shown = inspect(loaded.config, { depth: 9 });
        expect(shown).not.toMatch(/V\d|\$\{/);
        expect(loaded.config.hash).toBeUndefined();
      }
      const [line, ...more] = problemsOf(loaded);
      expect(more).toEqual([]);
      return line?.split(':')[0] ?? [];
    });
    expect(stopped).toEqual(
      paths.filter((path) => /^(company|adminEmail|store)$/.test(path) || pattern.test(path)),
    );
  });
});

describe('with no variable set', () => {
  const fixed = ['acme', 'admin@acme.example', 'sqlite:./data/gateway.db'];
  const text = withVariables((place) => !fixed.includes(values[place] ?? ''));

  test('a command on the store has it, without the rest', () => {
    const loaded = loadParts(source(text), { parts: [] });
    expect(loaded).toEqual({
      config: {
        file: '/etc/gateway/gateway.yaml',
        company: 'acme',
        adminEmail: 'admin@acme.example',
        store: { kind: 'sqlite', path: '/etc/gateway/data/gateway.db' },
        hash: undefined,
      },
    });
  });

  test('a service reports each variable once', () => {
    const problems = problemsOf(loadConfig(source(text)));
    expect(problems).toHaveLength(values.filter((value) => !fixed.includes(value)).length);
  });
});

describe('of several platforms and webhooks', () => {
  const text = `
company: acme
platforms:
  a: { kind: openai, apiKey: "\${A}" }
  b: { kind: openai, apiKey: "\${B}", adminApiKey: "\${B}" }
notify:
  - { name: c, url: "https://hooks.example/\${C}", format: slack }
  - { name: d, url: "https://hooks.example/\${D}", format: slack }
`;

  test('only the called one needs its variables', () => {
    const a = loadParts(source(text, { A: 'key' }), { parts: ['platforms'], only: 'a' });
    expect(a).toMatchObject({ config: { platforms: [{ name: 'a', apiKey: 'key' }] } });
    const d = loadParts(source(text, { D: 'token' }), { parts: ['notify'], only: 'd' });
    expect(d).toMatchObject({
      config: { notify: [{ name: 'd', url: /* d */ expect.anything() }] },
    });
    const b = loadParts(source(text, { A: 'key' }), { parts: ['platforms'], only: 'b' });
    expect(problemsOf(b)).toEqual([
      'platforms.b.apiKey: the environment variable B is not set; set it, or set B_FILE to the path of a file with the value (also at platforms.b.adminApiKey)',
    ]);
  });

  test('a webhook is listed by its name while its URL is unknown', () => {
    const loaded = loadParts(source(text, { D: 'token' }), { parts: ['hooks'] });
    expect(loaded).toMatchObject({
      config: {
        hooks: [
          { name: 'c', url: undefined },
          { name: 'd', url: 'https://hooks.example/token' },
        ],
      },
    });
  });
});

test('an error in an unneeded part is an error of the file', () => {
  const text = `company: acme\nplatforms: { a: { kind: opena, apiKey: "\${A}" } }\n`;
  expect(problemsOf(loadParts(source(text), { parts: [] }))).toEqual([
    expect.stringMatching(/^platforms\.a\.kind: must be one of .*; it is "opena"/),
  ]);
});

test('the store of the environment replaces that of the file', () => {
  const text = `company: acme\nstore: "\${URL}"\nplatforms: { a: { kind: simulator } }\n`;
  const environment = { MODEL_GATEWAY_STORE: 'sqlite:/tmp/x.db' };
  const loaded = loadParts(source(text, environment), { parts: [] });
  expect(loaded).toMatchObject({ config: { store: { path: '/tmp/x.db' } } });
  expect(problemsOf(loadParts(source(text), { parts: [] }))).toHaveLength(1);
});
