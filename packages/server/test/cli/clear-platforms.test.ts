import { expect, test } from 'vitest';
import { clearPlatforms } from '../../src/cli/start-warnings.ts';
import type { PlatformConfig } from '../../src/domain/platform.ts';

const local = { name: 'local', kind: 'openai-compatible' } as const;
const other = { name: 'other', kind: 'ai-sdk', package: '@ai-sdk/mistral' } as const;

test.each<[string, PlatformConfig]>([
  ['https', { ...local, baseUrl: 'https://models.example.com/v1' }],
  ['localhost', { ...local, baseUrl: 'http://localhost:11434/v1' }],
  ['127.0.0.1', { ...local, baseUrl: 'http://127.0.0.1:11434/v1' }],
  ['::1', { ...local, baseUrl: 'http://[::1]:11434/v1' }],
  ['no URL', { name: 'sandbox', kind: 'simulator' }],
  ['meant so', { ...local, baseUrl: 'http://models.example.com/v1', allowInsecure: true }],
  ['options of a package', { ...other, options: { baseURL: 'https://a.example/v1' } }],
  ['options that are no URL', { ...other, options: { baseURL: 7, other: 'http://a.example' } }],
])('nothing is reported about %s', (_, config) => {
  expect(clearPlatforms([config])).toEqual([]);
});

test.each<[string, PlatformConfig, string]>([
  ['a host', { ...local, baseUrl: 'http://models.example.com/v1' }, 'http://models.example.com'],
  ['a container', { ...local, baseUrl: 'http://ollama:11434/v1' }, 'http://ollama:11434'],
  ['a private address', { ...local, baseUrl: 'http://10.0.0.7/v1' }, 'http://10.0.0.7'],
  ['a package', { ...other, options: { baseURL: 'http://a.example/v1' } }, 'http://a.example'],
])('%s over http is reported', (_, config, url) => {
  expect(clearPlatforms([config])).toEqual([{ platform: config.name, url }]);
});
