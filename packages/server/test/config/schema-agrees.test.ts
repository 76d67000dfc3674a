import { Ajv } from 'ajv';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { configSchema } from '../../src/config/file-keys.ts';
import { problemsOf } from './load.ts';

const ajv = new Ajv({
  ...{ allErrors: true, verbose: true, allowUnionTypes: true, strictRequired: false },
});
const takes = ajv.compile(configSchema());

/** Texts that fit a key, by the key's name. The schema itself defines the other values. */
const samples: Readonly<Record<string, readonly unknown[]>> = {
  company: ['acme', 'a-1'],
  adminEmail: ['admin@acme.example'],
  host: ['127.0.0.1', '::1', 'gateway'],
  hosts: ['gateway.acme.example', 'a_b'],
  publicUrl: ['https://gateway.acme.example', 'http://127.0.0.1:8787'],
  trustedProxies: ['10.0.0.7', '10.0.0.0/8', 'fe80::/10'],
  store: ['sqlite:./a.db', 'postgres://user:password@host:5432/database', 'sqlite:////x'],
  defaultPlatform: ['sandbox', 'other'],
  platform: ['sandbox', 'other'],
  id: ['a', 'b', 'c', 'd', 'e', 'f'],
  upstreamModel: ['m'],
  name: ['a', 'b', 'c', 'd', 'e', 'f'],
  models: ['a', 'b', 'c'],
  route: ['a', 'b', 'c'],
  project: ['p one', 'default'],
  projects: [{}, {}, {}, { sandbox: 'proj_1' }],
  baseUrl: ['http://127.0.0.1:11434/v1', 'HTTPS://models.acme.example/'],
  apiKey: ['none', 'sk-1'],
  adminApiKey: ['sk-2'],
  region: ['us-east-1'],
  package: ['@ai-sdk/mistral'],
  options: [{ a: 1, b: [null, true] }],
  dailyBudgetUsd: ['20', 0.5, '0.000000000001', '0.0000000000001'],
  monthlyBudgetUsd: ['300'],
  perUserDailyUsd: ['0.5', 1],
  dailyUsd: ['60', 5],
  monthlyUsd: ['1200'],
  inputUsdPerMillion: ['0.15', 2],
  cachedInputUsdPerMillion: ['0.1234567', 0],
  cacheWriteInputUsdPerMillion: [1],
  cacheWrite1hInputUsdPerMillion: [1],
  outputUsdPerMillion: ['100000', '0.60'],
  perRequestUsd: ['0.005', 1],
  usdPerThousand: ['10', 5.5],
  from: ['2026-09-22', '2027-02-29'],
  '5m': ['0.2'],
  '30m': ['0.2'],
  '1h': ['0.3'],
  '12h': [2],
  input: ['2', 1.5, '0.333333'],
  cachedInput: [1],
  cacheWrite: ['1001'],
  output: ['1.5'],
  monthlyGrant: ['1000', 0.5],
  usdPerCredit: ['0.01', 1, '0.03'],
  ratePerSecond: [50, 0.5, '7'],
  url: ['https://a.example/x', 'https://a.example'],
  apps: ['a', 'b'],
  tags: ['4711', 7, true],
  format: ['slack', 'teams'],
  secret: ['whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'],

  issuer: ['https://login.acme.example'],
  clientId: ['gateway'],
  clientSecret: ['s3cret'],
  scopes: ['openid', 'groups'],
  nameClaim: ['email'],
  roleClaim: ['groups'],
  teams: ['search'],
  otlp: ['http://127.0.0.1:4318'],
  sample: [0.05, '1', 0],
  headers: ['Bearer x'],
  at: [50, '80', 100],
  dailyAt: ['03:00', '23:59'],
};

const junk = [null, '', 'x y', -1, 1.5, true, [], {}, '0', 'a'.repeat(200), 1e13, ['a', 'a']];

/** Valid platforms: with random keys hardly any would fit their kind. */
const platforms = [
  { kind: 'simulator' },
  { kind: 'openai', apiKey: 'sk-1' },
  { kind: 'openai-compatible', baseUrl: 'http://127.0.0.1/v1', apiKey: 'none' },
  { kind: 'bedrock-mantle', region: 'us-east-1' },
  { kind: 'ai-sdk', package: 'some-provider', options: { key: 'x' } },
];

/** Values that usually fit a part of the schema, and sometimes do not. */
function valuesFor(schema: object, name: string): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 400, arbitrary: fittingFor(schema, name) },
    { weight: 1, arbitrary: fc.constantFrom(...junk) },
  );
}

function fittingFor(schema: object, name: string): fc.Arbitrary<unknown> {
  const { type, items, properties, anyOf, propertyNames, additionalProperties, pattern } =
    Object(schema);
  const { then: alias, else: model } = Object(schema);
  if (alias !== undefined) return fc.oneof(valuesFor(alias, name), valuesFor(model, name));
  const [kind] = Array.isArray(type) ? type : [type];
  if (isDictionary(schema) && !['platforms', 'projects'].includes(name)) {
    const names = fc.constantFrom('a', 'b');
    const values = valuesFor(additionalProperties, name);
    const entries = fc.dictionary(names, values, { minKeys: 1 });
    return entries.map((each) => ({ ...each }));
  }
  if (propertyNames !== undefined) {
    const names = fc.constantFrom(...Array<string>(20).fill('sandbox'), 'other', 'a name');
    const platform = fc.oneof(
      { weight: 30, arbitrary: fc.constantFrom(...platforms) },
      { weight: 1, arbitrary: valuesFor(additionalProperties, '') },
    );
    return fc.dictionary(names, platform, { minKeys: 1 }).map((entries) => ({ ...entries }));
  }
  if (properties !== undefined) return sectionFor(schema);
  if (items !== undefined) {
    const { minItems: minLength = 0 } = Object(schema);
    return fc.uniqueArray(valuesFor(items, name), { minLength, maxLength: 2 });
  }
  if (anyOf !== undefined) {
    const { enum: words } = Object(anyOf[0]);
    return words === undefined ? fittingFor(anyOf[0], name) : fc.constantFrom(...words);
  }
  if (kind === 'boolean') return fc.constantFrom(true, false, 'true', 'false');
  if (kind === 'integer') return numbersFor(schema);
  const known = samples[name] ?? [`no sample for ${name}`];
  const fitting = known.filter((value) => pattern === undefined || matches(pattern, value));
  return fc.constantFrom(...(fitting.length === 0 ? known : fitting));
}

/** Names that the operator chooses. */
function isDictionary(schema: object): boolean {
  const { properties, additionalProperties } = Object(schema);
  return properties === undefined && typeof additionalProperties === 'object';
}

/** `url` is the URL of a webhook in one place, and only an origin in another. */
function matches(pattern: string, value: unknown): boolean {
  return new RegExp(pattern, 'u').test(String(value));
}

function sectionFor(schema: object): fc.Arbitrary<unknown> {
  const { properties, required = [] } = Object(schema);
  const model = Object.fromEntries(
    Object.entries(Object(properties)).map(([name, each]) => [name, valuesFor(Object(each), name)]),
  );
  return fc.oneof(
    { weight: 200, arbitrary: fc.record(model, { requiredKeys: required }).map(wholePrice) },
    { weight: 1, arbitrary: fc.record(model, { requiredKeys: [] }) },
    { weight: 1, arbitrary: fc.record(model).map((section) => ({ ...section, unknown: 1 })) },
  );
}

/** With half a price hardly any row would be valid. */
function wholePrice(row: object): object {
  const isPriced = Object.keys(row).some((name) => name.endsWith('UsdPerMillion'));
  return isPriced ? { outputUsdPerMillion: '1', inputUsdPerMillion: '2', ...row } : row;
}

function numbersFor(schema: object): fc.Arbitrary<unknown> {
  const { minimum, maximum } = Object(schema);
  const inside = fc.integer({ min: minimum, max: Math.min(maximum, 2 ** 31 - 1) });
  const outside = fc.constantFrom(minimum - 1, maximum + 1);
  return fc.oneof(
    { weight: 200, arbitrary: inside },
    { weight: 200, arbitrary: inside.map(String) },
    { weight: 1, arbitrary: outside },
  );
}

/**
 * Rejections of the service that JSON Schema cannot express, or not in a way that editors support.
 */
const beyondSchema = [
  // A comparison of two places in the file.
  / is already used at \S+$/,
  /must be one of the platforms/,
  /is (already )?the project of/,
  /projects\.sandbox: (unknown platform|a simulator creates|platforms of the kind \S+ have no projects)/,
  /conflicts with unpriced/,
  /speaks\[\d\]: ".*" has the API format of/,
  /(speaks|pathFamily): (is required on|the kind \S+ of \S+ does not support)/,
  /(speaks\[\d\]|pathFamily): must be one of (messages|chat, responses(, v1.*)?); it is ".*"$/,
  /kind: the kind \S+ of \S+ does not support embeddings/,
  / conflicts with /,
  /begins above \d+ tokens/,
  /no call reaches the step/,
  // Numbers that are written as text, and decimals.
  /must be a (whole number|number above 0|factor above 0).*; it is "\d+"$/,
  /does not divide into exact decimal|must equal a whole number of 1e-12|must be at most [\d.]+ USD|a credit must be worth more/,
  /must be (a decimal amount|an amount|a price) in USD/,
  /has more than six decimals/,
  /must be a UTC day such as|requires from, the first UTC day|keep one of them/,
  // The definitions of a URL and an address.
  /must be (a store|an? URL|the (https:\/\/ )?URL|an address or a network|an origin)/,
  /^.*console.*(requires console.url|is not https)/,
  /^console.oidc.*(is a team without apps|is not a team|must include openid)/,
  // Values that a variable can replace.
  /^tracing: requires otlp/,
];

/** A name that YAML reads as a number or a truth value. Only editors require quotes. */
function isUnquoted(): boolean {
  // A failure of a dependent schema is reported once more, as `if`.
  const errors = (takes.errors ?? []).filter(({ keyword }) => keyword !== 'if');
  return errors.every(
    ({ keyword, data }) => keyword === 'type' && ['number', 'boolean'].includes(typeof data),
  );
}

describe('the JSON Schema and the service', () => {
  test('agree about any file, as far as the schema can express it', () => {
    const outcomes = { taken: 0, refused: 0, beyond: 0 };
    fc.assert(
      fc.property(sectionFor(configSchema()), (file) => {
        const problems = problemsOf(JSON.stringify(file));
        if (!takes(JSON.parse(JSON.stringify(file)))) {
          outcomes.refused++;
          expect(problems.length > 0 || isUnquoted()).toBe(true);
          return;
        }
        outcomes[problems.length > 0 ? 'beyond' : 'taken']++;
        const unsaid = problems.filter((line) => !beyondSchema.some((rule) => rule.test(line)));
        expect(unsaid).toEqual([]);
      }),
      { numRuns: 800 },
    );
    for (const count of Object.values(outcomes)) expect(count).toBeGreaterThan(5);
  });

  test('both accept a variable in place of every value', () => {
    const leaves = leavesOf(configSchema());
    expect(leaves.length).toBeGreaterThan(50);
    for (const [name, leaf] of leaves) {
      expect([name, ajv.validate(leaf, `\${NAME}`)]).toEqual([name, true]);
    }
  });
});

/** Every value that is neither a section nor a list. */
function leavesOf(schema: unknown): readonly (readonly [string, object])[] {
  const { properties = {}, additionalProperties, items } = Object(schema);
  const inner = [additionalProperties, items].flatMap((each) => (each ? leavesOf(each) : []));
  const own = Object.entries(Object(properties)).flatMap(([name, each]) => {
    const { type, items: list } = Object(each);
    const isLeaf = list === undefined && ![type].flat().includes('object');
    return isLeaf ? [[name, Object(each)] as const] : leavesOf(each);
  });
  return [...own, ...inner];
}
