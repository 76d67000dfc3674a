import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { loadConfig } from '../../src/config/load-config.ts';

test('the gateway.yaml that npm start runs with loads without problems', () => {
  const file = new URL('../../../../gateway.yaml', import.meta.url).pathname;
  const readFile = (path: string) => readFileSync(path, 'utf8');
  const loaded = loadConfig({ file, environment: {}, readFile });
  expect(loaded).not.toHaveProperty('problems');
  if ('problems' in loaded) return;
  const { apps, platforms } = loaded.config;
  expect(apps.map((app) => app.name)).toEqual([
    'search',
    'tutor',
    'support',
    'reports',
    'assistant',
  ]);
  expect(apps.filter((app) => app.credits !== undefined).map((app) => app.name)).toEqual(['tutor']);
  expect(platforms).toEqual([{ name: 'sandbox', kind: 'simulator' }]);
});
