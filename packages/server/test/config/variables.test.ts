import { describe, expect, test } from 'vitest';
import { chooseConfig } from '../../src/config/choose-file.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import type { Environment } from '../../src/config/variables.ts';
import { fileWith } from './load.ts';

const secrets: Readonly<Record<string, string>> = {
  '/run/secrets/openai': 'sk-openai\n',
  '/run/secrets/windows': 'sk-windows\r\n',
  '/run/secrets/spaces': ' sk with spaces \n',
  '/run/secrets/store': 'postgres://gateway:s3cret@db/gateway?sslmode=verify-full\n',
  '/run/secrets/empty': '\n',
};

function readFile(path: string): string {
  const text = secrets[path];
  if (text === undefined) throw Object.assign(new Error(path), { code: 'ENOENT' });
  return text;
}

const load = (environment: Environment, text: string, place: { text?: string } = {}) =>
  loadConfig({
    ...{ file: '/etc/gateway.yaml', environment, ...place },
    readFile: (path) => (path === '/etc/gateway.yaml' ? text : readFile(path)),
  });

function keyOf(environment: Environment): unknown {
  const yaml = `company: acme\nplatforms: { openai: { kind: openai, apiKey: "\${KEY}" } }\n`;
  const loaded = load(environment, yaml);
  return 'config' in loaded ? loaded.config.platforms[0]?.apiKey : loaded.problems;
}

describe('a variable in a file', () => {
  test.each([
    ['/run/secrets/openai', 'sk-openai'],
    ['/run/secrets/windows', 'sk-windows'],
    ['/run/secrets/spaces', ' sk with spaces '],
  ])('%s is its text without the end of its line', (KEY_FILE, key) => {
    expect(keyOf({ KEY_FILE })).toBe(key);
    // A shell leaves this behind for "not set".
    expect(keyOf({ KEY_FILE, KEY: '' })).toBe(key);
    expect(keyOf({ KEY_FILE: '', KEY: 'own' })).toBe('own');
  });

  test.each([
    [{ KEY_FILE: '/none' }, 'KEY_FILE: /none cannot be read (ENOENT)'],
    [{ KEY_FILE: '/run/secrets/empty' }, 'KEY_FILE: /run/secrets/empty is empty'],
    [
      { KEY_FILE: '/run/secrets/openai', KEY: 'own' },
      'KEY and KEY_FILE are both set; unset one of them',
    ],
    [
      { KEY: '' },
      'the environment variable KEY is empty; set it, or set KEY_FILE to the path of a file with the value',
    ],
    [
      {},
      'the environment variable KEY is not set; set it, or set KEY_FILE to the path of a file with the value',
    ],
  ])('%o is a problem with its path', (environment, problem) => {
    expect(keyOf(environment)).toEqual([`platforms.openai.apiKey: ${problem}`]);
  });

  test('can be the store, the key of mantle', () => {
    const mantle = 'company: acme\nplatforms: { m: { kind: bedrock-mantle, region: eu-west-1 } }\n';
    const environment = {
      MODEL_GATEWAY_STORE_FILE: '/run/secrets/store',
      AWS_BEARER_TOKEN_BEDROCK_FILE: '/run/secrets/openai',
    };
    expect(load(environment, mantle)).toMatchObject({
      config: {
        store: {
          kind: 'postgres',
          url: 'postgres://gateway:s3cret@db/gateway?sslmode=verify-full',
        },
        platforms: [{ apiKey: 'sk-openai' }],
      },
    });
    const both = {
      ...environment,
      MODEL_GATEWAY_STORE: 'sqlite:/a',
      AWS_BEARER_TOKEN_BEDROCK: 'b',
    };
    expect(load(both, mantle)).toEqual({
      problems: [
        'platforms.m: AWS_BEARER_TOKEN_BEDROCK and AWS_BEARER_TOKEN_BEDROCK_FILE are both set; unset one of them',
        'MODEL_GATEWAY_STORE and MODEL_GATEWAY_STORE_FILE are both set; unset one of them',
      ],
    });
  });
});

describe('the configuration in a variable', () => {
  const place = { file: 'MODEL_GATEWAY_CONFIG_TEXT' };

  test('is used if no file is named, whatever the folder contains', () => {
    const environment = { MODEL_GATEWAY_CONFIG_TEXT: 'company: acme', MODEL_GATEWAY_CONFIG: '' };
    expect(chooseConfig({ option: undefined, environment })).toEqual({
      ...place,
      text: 'company: acme',
    });
  });

  test.each([
    ['/a.yaml', '/b.yaml', '--config /a.yaml'],
    [undefined, '/b.yaml', 'MODEL_GATEWAY_CONFIG (/b.yaml)'],
  ])('and a file are a problem: %s, %s', (option, MODEL_GATEWAY_CONFIG, other) => {
    const environment = { MODEL_GATEWAY_CONFIG, MODEL_GATEWAY_CONFIG_TEXT: 'company: acme' };
    expect(chooseConfig({ option, environment })).toEqual({
      problem: `MODEL_GATEWAY_CONFIG_TEXT and ${other} are both set; keep one of them`,
    });
  });

  test.each([
    ['store: sqlite:/var/lib/gateway.db\n', { kind: 'sqlite', path: '/var/lib/gateway.db' }],
    ['store: "postgres://db/gateway"\n', { kind: 'postgres', url: 'postgres://db/gateway' }],
  ])('has an absolute store: %s', (line, store) => {
    const text = fileWith(line);
    expect(load({}, '', { ...place, text })).toMatchObject({ config: { ...place, store } });
  });

  test('means the same as the file', () => {
    const text = fileWith('store: sqlite:/var/lib/gateway.db\n');
    const [ofText, ofFile] = [load({}, '', { ...place, text }), load({}, text)];
    expect('config' in ofText && ofText.config.hash).toBe('config' in ofFile && ofFile.config.hash);
  });

  test.each([
    ['', /^store: required with MODEL_GATEWAY_CONFIG_TEXT, .*; use for example sqlite:\/var/],
    [
      'store: sqlite:./data/gateway.db\n',
      /^store: sqlite:.\/data\/gateway.db is a relative path, .*; use sqlite:\/ and an absolute path$/,
    ],
  ])('has no folder for a relative path: %s', (line, problem) => {
    const loaded = load({}, '', { ...place, text: fileWith(line) });
    expect(loaded).toEqual({ problems: [expect.stringMatching(problem)] });
  });
});
