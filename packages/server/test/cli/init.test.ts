import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadConfig } from '../../src/config/load-config.ts';
import type { Config } from '../../src/domain/config.ts';
import { platformKinds } from '../../src/domain/platform-kinds/platform-kinds.ts';
import { startServed } from '../support/process.ts';
import { runBin } from './support/bin.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'model-gateway-init-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const written = () => readFile(join(folder, 'gateway.yaml'), 'utf8');

function configOf(yaml: string): Config {
  const environment = {
    ...{ OPENAI_API_KEY: 'a', OPENAI_ADMIN_KEY: 'b', ANTHROPIC_API_KEY: 'c' },
  };
  const loaded = loadConfig({ file: '/x/gateway.yaml', environment, readFile: () => yaml });
  if ('problems' in loaded) throw new Error(loaded.problems.join('\n'));
  return loaded.config;
}

test('init writes a configuration that serves at once, and prints the next step', async () => {
  const { code, out, errors } = await runBin(['init'], { cwd: folder });
  expect([code, errors]).toEqual([0, '']);
  expect(out).toContain('Wrote gateway.yaml');
  const steps = [...out.matchAll(/^ {2}npx model-gateway (\S+)/gm)].map(([, word]) => word);
  expect(steps).toEqual(['serve', 'platforms', 'keys']);
  const quiet = (await written()).replaceAll(/port: 878\d/g, 'port: 0');
  await writeFile(join(folder, 'gateway.yaml'), quiet);
  const service = await startServed(['serve'], { cwd: folder });
  expect(service.lines().join('\n')).toContain('ready at');
  expect(await service.end('SIGTERM')).toBe(0);
});

test('its comments can be used unchanged', async () => {
  await runBin(['init'], { cwd: folder });
  const yaml = await written();
  const whole = yaml.replaceAll(
    /^# ((?:openai|claude|bedrock|local): +\{.*|models:|unpriced:.*)$/gm,
    (_all, line: string) => (/^(models|unpriced)/.test(line) ? line : `  ${line}`),
  );
  const { platforms, models, unpriced } = configOf(whole.replaceAll(/^# {3}- \{/gm, '  - {'));
  // A package of the AI SDK must be installed before the file can name it.
  const kinds = platformKinds.filter((kind) => kind !== 'ai-sdk');
  expect(platforms.map(({ kind }) => kind).toSorted()).toEqual(kinds.toSorted());
  expect(models.map(({ id }) => id)).toEqual(['sim-messages', 'my-model']);
  expect(unpriced).toBe('refuse');
});

test('init enables the APIs of other vendors, and streams', async () => {
  await runBin(['init'], { cwd: folder });
  const written = await readFile(join(folder, 'gateway.yaml'), 'utf8');
  expect(written).toMatch(/^ingress: \{ openai: true, anthropic: true \}$/m);
  expect(written).toMatch(/^streaming: true$/m);
});

test('init never overwrites a file', async () => {
  await writeFile(join(folder, 'gateway.yaml'), 'company: mine\n');
  const { code, out, errors } = await runBin(['init'], { cwd: folder });
  expect([code, out]).toEqual([1, '']);
  expect(errors).toContain('gateway.yaml already exists and was not changed');
  expect(await written()).toBe('company: mine\n');
  const other = await runBin(['init', '--config', 'other.yaml', '--json'], { cwd: folder });
  expect(JSON.parse(other.out)).toMatchObject({
    file: expect.stringMatching(/other\.yaml$/),
    platforms: ['sandbox'],
  });
});

test('init names the company, and rejects one that no project can be named for', async () => {
  const { code } = await runBin(['init', '--company', 'globex'], { cwd: folder });
  expect(code).toBe(0);
  expect(configOf(await written()).company).toBe('globex');
  expect(await written()).not.toContain('acme');
  expect(configOf(await written()).adminEmail).toBe('admin@globex.example');
  const bad = await runBin(['init', '--company', 'No Such', '--config', 'b.yaml'], { cwd: folder });
  expect(bad.code).toBe(2);
  expect(bad.errors).toMatch(/^company: /);
});
