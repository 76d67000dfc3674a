import { expect, test } from 'vitest';
import { loadConfig } from '../../src/config/load-config.ts';
import { configOf, fileWith, problemsOf } from './load.ts';

const secret = '0123456789abcdef0123456789abcdef';

test('the environment has the key ring, newest first', () => {
  const MODEL_GATEWAY_KEYS = `k2:${secret}x,k1:${secret}`;
  const { keyRing } = configOf(fileWith(), { MODEL_GATEWAY_KEYS });
  expect(keyRing?.newest).toBe('k2');
  expect(keyRing?.keys().map(({ id }) => id)).toEqual(['k2', 'k1']);
});

test('without one, or with an empty one, there is none', () => {
  expect(configOf(fileWith()).keyRing).toBeUndefined();
  expect(configOf(fileWith(), { MODEL_GATEWAY_KEYS: '' }).keyRing).toBeUndefined();
});

test('it is not part of the comparison of two configurations', () => {
  const { hash } = configOf(fileWith());
  expect(configOf(fileWith(), { MODEL_GATEWAY_KEYS: `k1:${secret}` }).hash).toBe(hash);
});

test('a file can have it instead, and is read like the variable', () => {
  const files = new Map([
    ['/etc/gateway.yaml', fileWith()],
    ['/run/secrets/keys', `k1:${secret}\n`],
    ['/run/secrets/odd', secret],
  ]);
  const load = (environment: Record<string, string>) =>
    loadConfig({ file: '/etc/gateway.yaml', environment, readFile });
  const loaded = load({ MODEL_GATEWAY_KEYS_FILE: '/run/secrets/keys' });
  expect('config' in loaded && loaded.config.keyRing?.newest).toBe('k1');
  expect(load({ MODEL_GATEWAY_KEYS_FILE: '/run/secrets/odd' })).toEqual({
    problems: ['MODEL_GATEWAY_KEYS_FILE (/run/secrets/odd): key 1 must be ID:SECRET'],
  });
  expect(load({ MODEL_GATEWAY_KEYS_FILE: '/run/secrets/none' })).toEqual({
    problems: ['MODEL_GATEWAY_KEYS_FILE: /run/secrets/none cannot be read (ENOENT)'],
  });

  function readFile(path: string): string {
    const text = files.get(path);
    if (text === undefined) throw Object.assign(new Error(), { code: 'ENOENT' });
    return text;
  }
});

test('errors contain no secret', () => {
  expect(problemsOf(fileWith(), { MODEL_GATEWAY_KEYS: secret })).toEqual([
    'MODEL_GATEWAY_KEYS: key 1 must be ID:SECRET',
  ]);
  const both = { MODEL_GATEWAY_KEYS: `k1:${secret}`, MODEL_GATEWAY_KEYS_FILE: '/keys' };
  expect(problemsOf(fileWith(), both)).toEqual([
    'MODEL_GATEWAY_KEYS and MODEL_GATEWAY_KEYS_FILE are both set; unset one of them',
  ]);
});
