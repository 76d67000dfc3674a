import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { listenOn } from '../../src/cli/serve-port.ts';
import { welcomeLines } from '../../src/cli/welcome.ts';
import type { SampleKey } from '../../src/operations/keys/sample-keys.ts';
import { runBin } from '../../test/cli/support/bin.ts';
import { type Desk, deskYaml, openDesk } from '../../test/cli/support/desk.ts';
import { startServed } from '../../test/support/process.ts';

describe('while no key exists, startup prints how to create one', () => {
  let desk: Desk;
  beforeEach(async () => {
    desk = await openDesk();
  });
  afterEach(() => desk.close());

  async function printed(file = desk.file): Promise<readonly string[]> {
    const service = await startServed(['serve', '--config', file]);
    expect(await service.end('SIGTERM')).toBe(0);
    return service.lines();
  }

  test('for an existing app', async () => {
    const lines = await printed();
    expect(lines).toContain('  npx model-gateway keys issue --app search --email YOU@YOUR-COMPANY');
    expect(lines.join('\n')).not.toContain('apps create');
  });

  test('and how to create an app, if there is none', async () => {
    const withoutApps = deskYaml.slice(0, deskYaml.indexOf('apps:'));
    const empty = await openDesk({ yaml: withoutApps });
    const lines = await printed(empty.file);
    await empty.close();
    expect(lines).toContain('  npx model-gateway apps create NAME --daily-budget-usd 5');
  });

  test('and not after somebody can call', async () => {
    await desk.json(['keys', 'issue', '--app', 'search', '--email', 'a@b.example']);
    expect(await printed()).toEqual([expect.stringContaining('ready at')]);
  });

  test('again when every key is disabled', async () => {
    const issue = ['keys', 'issue', '--app', 'search', '--email', 'a@b.example'];
    const { id } = await desk.record(issue);
    await desk.json(['keys', 'disable', String(id)]);
    expect((await printed()).join('\n')).toContain('No API key exists yet');
  });
});

describe('the port', () => {
  const ofFile = { host: '127.0.0.1', port: 8787 };
  const on = (option: string | undefined, environment: Record<string, string> = {}) =>
    listenOn({ environment }, option, ofFile);

  test('is the one of --port, else of PORT, else of the file; the address is the file’s', () => {
    expect(on(undefined)).toEqual(ofFile);
    expect(on(undefined, { PORT: '' })).toEqual(ofFile);
    expect(on(undefined, { PORT: '9001' })).toEqual({ host: '127.0.0.1', port: 9001 });
    expect(on('9002', { PORT: '9001' })).toEqual({ host: '127.0.0.1', port: 9002 });
  });

  test.each(['eighty', '65536', '-1', '80.5', ' '])('must not be %j', (text) => {
    expect(() => on(text)).toThrow(/^--port: must be a whole number from 0 to 65535; it is /);
    expect(() => on(undefined, { PORT: text })).toThrow(
      /^PORT: must be a whole number from 0 to 65535; it is /,
    );
  });

  test('of a real start is the requested one', async () => {
    const desk = await openDesk({ yaml: deskYaml.replace('listen: { port: 0 }', '') });
    const service = await startServed(['serve', '--port', '0', '--config', desk.file]);
    expect(new URL(service.url).port).not.toBe('8787');
    expect((await fetch(`${service.url}/health`)).status).toBe(200);
    expect(await service.end('SIGTERM')).toBe(0);
    await desk.close();
  });
});

test.each([
  ['http://0.0.0.0:8787', 'http://127.0.0.1:8787'],
  ['http://[::]:8787', 'http://[::1]:8787'],
  ['http://10.0.0.7:8787', 'http://10.0.0.7:8787'],
])('the line to paste of a service at %s calls %s', (url, asked) => {
  const key: SampleKey = { app: 'search', key: 'mgk_x', isPlain: true };
  const pasted = welcomeLines(url, [key]).find((line) => line.startsWith('curl'));
  expect(pasted).toContain(`curl -s ${asked}/v1/chat `);
});

test('lines to paste name the callers’ address from the file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'model-gateway-public-'));
  const file = join(folder, 'gateway.yaml');
  const url = 'https://gateway.acme.example';
  const yaml = `company: acme
publicUrl: ${url}/
listen: { port: 0 }
admin: { port: 0 }
platforms: { sandbox: { kind: simulator } }
apps: [{ name: search }]
`;
  await writeFile(file, yaml);
  const refused = await runBin(['config', 'check', '--config', file]);
  expect(refused.errors).toContain(
    'publicUrl: must be an origin such as https://gateway.acme.example, without a path; it is "',
  );
  await writeFile(file, yaml.replace(`${url}/`, url));
  const service = await startServed(['serve', '--config', file]);
  expect(service.url).toMatch(/^http:\/\/127\.0\.0\.1:/);
  expect(await service.end('SIGTERM')).toBe(0);
  expect(service.lines().find((line) => line.startsWith('curl'))).toContain(
    `curl -s ${url}/v1/chat`,
  );
  await rm(folder, { recursive: true });
});
