import { describe, expect, test } from 'vitest';
import { configOf } from './load.ts';

const text = `
company: acme
platforms:
  openai: { kind: openai, apiKey: "\${KEY}" }
  other: { kind: ai-sdk, package: p, options: { apiKey: abc, region: "\${REGION}", n: 1 } }
models:
  - { id: a, platform: openai, inputUsdPerMillion: "0.10", outputUsdPerMillion: "1" }
  - { id: b, platform: openai }
apps: [{ name: x, dailyBudgetUsd: "1.0" }, { name: y }]
`;

const environment = { KEY: 'k1', REGION: 'r1' };
const hash = configOf(text, environment).hash;

function hashOf(from: string | RegExp, to: string): string {
  expect(text.replace(from, to)).not.toBe(text);
  return configOf(text.replace(from, to), environment).hash;
}

describe('the hash', () => {
  test('ignores secrets, from any source', () => {
    expect(configOf(text, { KEY: 'k2', REGION: 'r2' }).hash).toBe(hash);
    expect(hashOf('apiKey: abc', 'apiKey: def')).toBe(hash);
    expect(hashOf(/"\$\{KEY\}"/, 'literal')).toBe(hash);
  });

  test('ignores addresses and the store', () => {
    expect(hashOf('company', 'listen: { port: 1 }\nadmin: { port: 2 }\ncompany')).toBe(hash);
    expect(configOf(text, { ...environment, MODEL_GATEWAY_STORE: 'sqlite:x.db' }).hash).toBe(hash);
  });

  test('ignores the notation of a value', () => {
    expect(hashOf('"1.0"', '1')).toBe(hash);
    expect(hashOf(/apps.*/, 'apps:\n  - name: y\n  - { dailyBudgetUsd: 1, name: x }')).toBe(hash);
    expect(hashOf('company', 'retry: { attempts: 3 }\ncompany')).toBe(hash);
    expect(hashOf('company', 'streams: { idleMs: 26000 }\ncompany')).toBe(hash);
    expect(hashOf('company', 'ingress: { openai: false }\ncompany')).toBe(hash);
    expect(hashOf('company', 'budgets: []\ncompany')).toBe(hash);
  });

  test.each([
    ['"1.0"', '"1.1"'],
    ['"0.10"', '"0.11"'],
    ['n: 1', 'n: 2'],
    ['company', 'retry: { attempts: 4 }\ncompany'],
    ['company', 'streams: { idleMs: 26001 }\ncompany'],
    ['company', 'ingress: { openai: true }\ncompany'],
    ['kind: openai', 'kind: openai, onLeft: cut'],
    ['{ name: y }', '{ name: y, enabled: true }'],
    ['company', 'budgets: [{ name: all, apps: all, dailyUsd: 1 }]\ncompany'],
    ['company', 'defaultPlatform: other\ncompany'],
  ])('changes when %s becomes %s', (from, to) => {
    expect(hashOf(from, to)).not.toBe(hash);
  });
});
