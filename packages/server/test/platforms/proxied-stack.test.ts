import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serveSimulator } from '@model-gateway/simulator';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openDesk } from '../cli/support/desk.ts';
import { chatOf, meet } from '../support/exchange.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { startProxy } from '../support/proxy.ts';
import { createSelfSigned } from '../support/self-signed.ts';
import { storeKinds } from '../support/shared-stack.ts';
import { openStack } from '../support/stack.ts';

const yaml = `
company: acme
store: sqlite:./gateway.db
platforms: { far: { kind: simulator, baseUrl: "http://platform.test" } }
apps: [{ name: search, dailyBudgetUsd: "5" }]
`;

test('a call and reconcile fetch go through the proxy of the environment', async () => {
  const platform = await serveSimulator({ port: 0 });
  const port = Number(new URL(platform.url).port);
  const proxy = await startProxy({ targets: new Map([['platform.test:80', port]]) });
  const environment = { HTTP_PROXY: proxy.url.replace('//', '//user:hunter2@') };
  const stack = await openStack({ yaml, environment });
  const desk = await openDesk({ yaml, environment });
  try {
    expect((await meet(stack, 'search', (client) => client.chat(chatOf('sim-echo')))).status).toBe(
      200,
    );
    expect(stack.logLines).toContainEqual(
      expect.objectContaining({
        message: 'platform route',
        fields: { platform: 'far', route: proxy.label, from: 'HTTP_PROXY' },
      }),
    );
    expect(JSON.stringify(stack.logLines)).not.toContain('hunter2');
    const before = proxy.connectRequests.length;
    const range = ['--from', '2026-11-01', '--to', '2026-11-02'];
    await desk.run(['reconcile', 'fetch', '--platform', 'far', ...range, '--config', desk.file]);
    expect(proxy.connectRequests.length).toBeGreaterThan(before);
    expect(await desk.json(['platforms', 'check'])).toMatchObject([
      { platform: 'far', state: 'works', route: proxy.label },
    ]);
  } finally {
    await stack.close();
    await desk.close();
    await proxy.close();
    await platform.close();
  }
});

describe.each(storeKinds)('a proxy that requires a login, on %s', (kind) => {
  let postgres: TestPostgres | undefined;
  beforeAll(async () => {
    if (kind === 'postgres') postgres = await startPostgres();
  });
  afterAll(() => postgres?.close());

  test('leaves no reservation and no cost, and is named with its correction', async () => {
    const proxy = await startProxy({
      targets: new Map(),
      instead: (socket) => void socket.end('HTTP/1.1 407 Login\r\n\r\n'),
    });
    const environment = { HTTP_PROXY: proxy.url };
    const store = (await postgres?.database()) ?? 'sqlite:./gateway.db';
    const on = yaml.replace('sqlite:./gateway.db', store);
    const stack = await openStack({ yaml: on, environment });
    const desk = await openDesk({ yaml, environment });
    try {
      const { status } = await meet(stack, 'search', (client) => client.chat(chatOf('sim-echo')));
      expect(status).toBeGreaterThanOrEqual(500);
      expect(proxy.connectRequests.length).toBeGreaterThan(0);
      const usage = await meet(stack, 'search', (client) => client.usage());
      expect(JSON.parse(usage.text).budget).toMatchObject({ spentUsd: '0', heldUsd: '0' });
      expect(await stack.audit()).toMatchObject({ clean: true });
      const { out } = await desk.run(['platforms', 'check', '--config', desk.file]);
      expect(out.join('\n')).toContain(
        `far: the proxy ${proxy.label} requires a login (407); check the user and the password in the URL of HTTP_PROXY`,
      );
    } finally {
      await stack.close();
      await desk.close();
      await proxy.close();
    }
  });
});

describe('a proxy that inspects TLS', () => {
  const own = createSelfSigned('platform.test');
  const secure = (caFile?: string) =>
    yaml.replace(
      '"http://platform.test"',
      `"https://platform.test"${caFile === undefined ? '' : `, caFile: ${caFile}`}`,
    );

  async function openInspected(caFile: string | undefined) {
    const platform = await serveSimulator({ port: 0 });
    const port = Number(new URL(platform.url).port);
    const proxy = await startProxy({
      targets: new Map([['platform.test:443', port]]),
      inspect: own,
    });
    const environment = { HTTPS_PROXY: proxy.url };
    const stack = await openStack({ yaml: `streaming: true${secure(caFile)}`, environment });
    onTestFinished(async () => {
      await stack.close();
      await proxy.close();
      await platform.close();
    });
    return { stack, proxy };
  }

  test('serves calls and streams with its authority in caFile', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'model-gateway-ca-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const caFile = join(folder, 'ca.pem');
    await writeFile(caFile, own.cert);
    const { stack, proxy } = await openInspected(caFile);
    const whole = await meet(stack, 'search', (client) => client.chat(chatOf('sim-echo')));
    expect(whole.status).toBe(200);
    const key = await stack.key('search');
    const streamed = await stack.post('search', '/v1/chat/stream', chatOf('sim-echo'), {
      headers: { 'x-api-key': key },
    });
    expect(await stack.clock.run(streamed.text())).toContain('"finishReason":"stop"');
    expect(proxy.connectRequests.map(({ target }) => target)).toContain('platform.test:443');
    expect(await stack.audit()).toMatchObject({ clean: true });
  });

  test('is named where its authority is not trusted', async () => {
    const { stack, proxy } = await openInspected(undefined);
    const { status } = await meet(stack, 'search', (client) => client.chat(chatOf('sim-echo')));
    expect(status).toBeGreaterThanOrEqual(500);
    expect(JSON.stringify(stack.logLines)).toContain(`the proxy ${proxy.label} opened a tunnel`);
  });

  test.each([
    ['missing.pem', /caFile: .*missing\.pem cannot be read \(ENOENT\)/],
    ['gateway.yaml', /caFile: .*gateway\.yaml has no valid certificates/],
  ])('a broken caFile, %s, is one line', async (caFile, words) => {
    const desk = await openDesk({ yaml: secure(caFile) });
    onTestFinished(desk.close);
    const { code, errors } = await desk.run(['platforms', 'check', '--config', desk.file]);
    expect([code, errors.length]).toEqual([2, 1]);
    expect(errors[0]).toMatch(words);
  });
});

test.each([
  ['HTTPS_PROXY', 'socks5://user:hunter2@proxy.example'],
  ['https_proxy', 'http://user:hunter2@proxy.example/path'],
])('a malformed %s ends the startup with its name', async (name, value) => {
  const desk = await openDesk({ yaml, environment: { [name]: value } });
  const { code, errors } = await desk.run(['platforms', 'check', '--config', desk.file]);
  expect(code).toBe(2);
  expect(errors.join('\n')).toContain(`${name}: `);
  expect(errors.join('\n')).not.toContain('hunter2');
  await desk.close();
});
