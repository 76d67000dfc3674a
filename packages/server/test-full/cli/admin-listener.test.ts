import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../../../../harness/until.ts';
import { runBin } from '../../test/cli/support/bin.ts';
import { type Desk, openDesk } from '../../test/cli/support/desk.ts';
import { type Served, startServed } from '../../test/support/process.ts';

const yaml = `
company: acme
listen: { port: 0 }
admin: { port: 0 }
store: sqlite:./gateway.db
platforms: { sandbox: { kind: simulator } }
`;

let desk: Desk;
let served: Served;
beforeAll(async () => {
  desk = await openDesk({ yaml });
  served = await startServed(['serve', '--config', desk.file], { cwd: desk.folder });
});
afterAll(async () => {
  await served.end('SIGTERM');
  await desk.close();
});

interface Line {
  readonly level: string;
  readonly msg: string;
  readonly url?: string;
}

/** Lines of the log, which the service writes in batches. */
function logLines(of: Served, message: string): Promise<readonly Line[]> {
  const linesNow = () => {
    const whole = of.log().split('\n').slice(0, -1);
    const lines = whole.map((line): Line => JSON.parse(line));
    const found = lines.filter(({ msg }) => msg.includes(message));
    return found.length > 0 && found;
  };
  return until(linesNow, () => `a line with "${message}" in ${of.log()}`);
}

async function adminUrl(of: Served): Promise<string> {
  const [line] = await logLines(of, 'admin listener started');
  return line?.url ?? '';
}

test('its address is in the log, on loopback, and it is ready', async () => {
  const url = await adminUrl(served);
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(url).not.toBe(served.url);
  const ready = await fetch(`${url}/ready`);
  expect([ready.status, await ready.json()]).toEqual([200, { status: 'ready' }]);
  expect(served.log()).not.toContain('other machines can reach the admin listener');
});

test('metrics and the description of the API are available there', async () => {
  const url = await adminUrl(served);
  const metrics = await fetch(`${url}/metrics`);
  expect(metrics.headers.get('content-type')).toContain('text/plain; version=0.0.4');
  expect(await metrics.text()).toMatch(/^model_gateway_store_up 1$/m);
  const description = await fetch(`${url}/openapi.json`);
  expect(await description.json()).toMatchObject({ openapi: '3.1.0' });
});

test('its pages are not on the public listener, nor the reverse', async () => {
  for (const path of ['/ready', '/metrics', '/openapi.json']) {
    expect((await fetch(`${served.url}${path}`)).status).toBe(403);
  }
  const url = await adminUrl(served);
  for (const path of ['/health', '/v1/usage']) {
    expect((await fetch(`${url}${path}`)).status).toBe(404);
  }
  const root = await fetch(`${url}/`, { redirect: 'manual' });
  expect([root.status, root.headers.get('location')]).toEqual([303, '/console/']);
});

test('a port that is in use is a configuration error', async () => {
  const other = createServer();
  other.listen(0, '127.0.0.1');
  await once(other, 'listening');
  const address = other.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const late = await openDesk({
    yaml: yaml.replace('admin: { port: 0 }', `admin: { port: ${port} }`),
  });
  const result = await runBin(['serve', '--config', late.file]);
  other.close();
  expect(result).toMatchObject({ code: 2, out: '' });
  const sentence = /^cannot listen on 127\.0\.0\.1:\d+: [^\n]*EADDRINUSE[^\n]*; change admin in/;
  expect(result.errors).toMatch(sentence);
  await late.close();
});

test('a publicly reachable address is logged as a warning, once', async () => {
  const open = await openDesk({
    yaml: yaml.replace('admin: { port: 0 }', 'admin: { host: 0.0.0.0, port: 0 }'),
  });
  const other = await startServed(['serve', '--config', open.file], { cwd: open.folder });
  const lines = await logLines(other, 'other machines can reach the admin listener');
  expect(lines).toMatchObject([{ level: 'warn' }]);
  expect(await other.end('SIGTERM')).toBe(0);
  await open.close();
});
