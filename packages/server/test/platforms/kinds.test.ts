import { describe, expect, test } from 'vitest';
import { configSchema } from '../../src/config/file-keys.ts';
import { ruleOf } from '../../src/config/platforms.ts';
import type { KindFacts } from '../../src/domain/platform-kinds/kind-facts.ts';
import { factsOf, platformKinds } from '../../src/domain/platform-kinds/platform-kinds.ts';
import { creators } from '../../src/platforms/create-platforms.ts';
import { fileWith, problemsOf } from '../config/load.ts';

const values: Readonly<Record<string, string>> = {
  baseUrl: 'http://127.0.0.1:9/v1',
  apiKey: 'sk-1',
  adminApiKey: 'sk-2',
  region: 'us-east-1',
  tier: 'standard',
  package: 'acme-provider',
  options: '{}',
};
const ownKeys = Object.keys(values);

function problemsWith(kind: string, keys: readonly string[], more = ''): readonly string[] {
  const entries = [`kind: ${kind}`, ...keys.map((key) => `${key}: ${values[key]}`)];
  return problemsOf(`company: acme\nplatforms:\n  one: { ${entries.join(', ')} }\n${more}`);
}

describe.each(platformKinds)('the kind %s', (kind) => {
  const facts = factsOf(kind);
  const { needs, takes } = facts;

  test('accepts only its keys', () => {
    const all = new Set(['baseUrl', ...takes, ...needs]);
    expect(problemsWith(kind, [...all])).toEqual([]);
    for (const key of ownKeys.filter((each) => !all.has(each))) {
      expect(problemsWith(kind, [...all, key]).join()).toContain(`does not support ${key}`);
    }
  });

  test('requires its needed keys', () => {
    for (const key of needs) {
      const others = needs.filter((each) => each !== key);
      expect(problemsWith(kind, others).join()).toContain(`platforms.one.${key}: is required`);
    }
  });

  test('is in the JSON Schema with these keys', () => {
    const schema = JSON.stringify(configSchema());
    expect(schema).toContain(JSON.stringify(ruleOf(facts)));
  });

  test('accepts an app’s project if it has projects that are bound', () => {
    const projects = 'apps: [{ name: search, projects: { one: proj_1 } }]\n';
    const isTaken = problemsWith(kind, needs, projects).length === 0;
    expect(isTaken).toBe(facts.projects === 'bound');
  });

  test('has its code', () => {
    expect(creators[kind]).toBeTypeOf('function');
  });
});

test('a kind without its code does not compile', () => {
  const { simulator: _missing, ...others } = creators;
  // @ts-expect-error one kind is missing
  const incomplete: typeof creators = others;
  expect(Object.keys(incomplete)).toHaveLength(platformKinds.length - 1);
});

test('the keys of a fictitious kind follow only from its facts', () => {
  const pretend: KindFacts = {
    ...factsOf('ai-sdk'),
    ...{ name: 'pretend', takes: ['tier', 'apiKey'], needs: ['baseUrl'], tiers: ['flex'] },
  };
  const { if: condition, ...rule } = ruleOf(pretend);
  expect(condition.properties.kind).toEqual({ const: 'pretend' });
  expect(rule).toEqual({
    // biome-ignore lint/suspicious/noThenProperty: the word of JSON Schema
    then: {
      required: ['baseUrl'],
      properties: {
        tier: { enum: ['flex'] },
        ...{ adminApiKey: false, region: false, package: false, options: false },
        propagateTrace: false,
      },
    },
  });
});

test('a kind that is not in the list is invalid', () => {
  expect(problemsOf(fileWith('  other: { kind: pretend }\n')).join()).toContain('must be one of');
});
