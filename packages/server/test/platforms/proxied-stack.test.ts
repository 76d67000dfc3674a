import { serveSimulator } from '@model-gateway/simulator';
import { expect, test } from 'vitest';
import { openDesk } from '../cli/support/desk.ts';
import { chatOf, meet } from '../support/exchange.ts';
import { startProxy } from '../support/proxy.ts';
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
    const before = proxy.asked.length;
    const range = ['--from', '2026-11-01', '--to', '2026-11-02'];
    await desk.run(['reconcile', 'fetch', '--platform', 'far', ...range, '--config', desk.file]);
    expect(proxy.asked.length).toBeGreaterThan(before);
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

test('a proxy that wants a login costs nothing, and is named with its cure', async () => {
  const proxy = await startProxy({
    targets: new Map(),
    instead: (socket) => void socket.end('HTTP/1.1 407 Login\r\n\r\n'),
  });
  const environment = { HTTP_PROXY: proxy.url };
  const stack = await openStack({ yaml, environment });
  const desk = await openDesk({ yaml, environment });
  try {
    const { status } = await meet(stack, 'search', (client) => client.chat(chatOf('sim-echo')));
    expect(status).toBeGreaterThanOrEqual(500);
    const { out } = await desk.run(['platforms', 'check', '--config', desk.file]);
    expect(out.join('\n')).toContain(
      `far: the proxy ${proxy.label} requires a login (407): check the user and the password in the URL of HTTP_PROXY`,
    );
  } finally {
    await stack.close();
    await desk.close();
    await proxy.close();
  }
});

test.each([
  ['HTTPS_PROXY', 'socks5://user:hunter2@proxy.example'],
  ['https_proxy', 'http://user:hunter2@proxy.example/path'],
])('a malformed %s ends the start with its name', async (name, value) => {
  const desk = await openDesk({ yaml, environment: { [name]: value } });
  const { code, errors } = await desk.run(['platforms', 'check', '--config', desk.file]);
  expect(code).toBe(2);
  expect(errors.join('\n')).toContain(`${name}: `);
  expect(errors.join('\n')).not.toContain('hunter2');
  await desk.close();
});
