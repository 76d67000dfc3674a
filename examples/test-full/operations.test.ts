import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { defaultLimits } from '@model-gateway/contract';
import { createClient, LlmError } from '@model-gateway/sdk';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endOf } from '../../harness/process.ts';
import { until } from '../../harness/until.ts';
import { descriptorWarning } from '../../packages/server/src/cli/listen/descriptors.ts';
import { defaultPlans } from '../../packages/server/src/config/limits.ts';
import { defaultStreamLimits } from '../../packages/server/src/domain/limits.ts';
import { httpOptions } from '../../packages/server/src/ingress/http/options.ts';
import { keepAliveMs } from '../../packages/server/src/ingress/stream/relay.ts';
import { startServed } from '../../packages/server/test/support/process.ts';
import { codeBlocks, readRepositoryFile, rootFolder, sectionOf } from '../testing/markdown.ts';

const document = readRepositoryFile('docs/operations.md');
const oneMachine = readRepositoryFile('docs/operations/sqlite.md');

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'model-gateway-operations-'));
  const yaml = readRepositoryFile('gateway.yaml').replaceAll(/port: 878\d/g, 'port: 0');
  await writeFile(join(folder, 'gateway.yaml'), yaml);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs a block of commands of "One machine" as a shell does; returns their output. */
async function follow(block: number): Promise<string> {
  const commands = codeBlocks(sectionOf(oneMachine, 'One machine'), 'sh')[block] ?? '';
  expect(commands).not.toBe('');
  // The program that the document's "Install" has installed.
  const PATH = [join(rootFolder, 'node_modules/.bin'), process.env.PATH].join(delimiter);
  const others = { MODEL_GATEWAY_CONFIG: undefined, MODEL_GATEWAY_STORE: undefined };
  const options = { cwd: folder, environment: { ...others, PATH } };
  const { code, output: printed } = await endOf('sh', ['-euc', commands], options);
  expect([code, printed]).toEqual([0, printed]);
  return printed;
}

const request = {
  model: 'sim-echo',
  maxTokens: 50,
  messages: [{ role: 'user', content: 'Hello' }],
} as const;

test('the document leads one machine from an empty folder to a restored ledger', async () => {
  const configured = await follow(0);
  const apiKey = /mgk_\w+/.exec(configured)?.[0] ?? '';
  expect(configured).toMatch(/^ *search /m);
  const connect = (url: string) => createClient({ baseUrl: `${url}/v1`, apiKey, maxAttempts: 1 });

  const first = await startServed(['serve'], { cwd: folder });
  await connect(first.url).chat(request);
  await follow(1);
  await connect(first.url).chat(request);
  expect(await first.end('SIGTERM')).toBe(0);

  const restored = await follow(2);
  expect(restored).toMatch(/clean/);
  const second = await startServed(['serve'], { cwd: folder });
  await until(() => /store is older than the one last served here/.test(second.log()));
  const refused = await connect(second.url)
    .chat(request)
    .catch((error: unknown) => error);
  expect(LlmError.is(refused) && refused.code).toBe('BUDGET_EXCEEDED');
  expect(await follow(3)).toMatch(/\$5: \$0\.2500\d+ spent/);
  const answer = await connect(second.url).chat(request);
  expect(answer.text).toBe('Hello');
  expect(await second.end('SIGTERM')).toBe(0);
  // A dozen commands, each in its own process: on a busy machine they take their time.
});

describe('the proxy in front of the service', () => {
  const nginx = codeBlocks(document, 'nginx')[0] ?? '';
  const setting = (name: string) => new RegExp(`^ *${name} (.*);$`, 'm').exec(nginx)?.[1] ?? '';

  test('calls the replicas of the document, and no admin listener', () => {
    const ports = [...nginx.matchAll(/^ *server 127\.0\.0\.1:(\d+) max_fails=0;$/gm)].map(
      ([, port]) => port,
    );
    const replicas = codeBlocks(sectionOf(document, 'Run'), 'text')
      .join('')
      .matchAll(/ready at http:\/\/127\.0\.0\.1:(\d+)/g);
    expect(ports).toEqual([...replicas].map(([, port]) => port));
    expect(ports).toHaveLength(2);
  });

  test('waits longer than a call may take, and lets its body through', () => {
    expect(Number.parseInt(setting('proxy_read_timeout'), 10) * 1_000).toBeGreaterThan(
      defaultLimits.gatewayMs,
    );
    expect(setting('proxy_request_buffering')).toBe('on');
    expect(setting('client_max_body_size')).toMatch(/^\d+m$/);
    expect(Number.parseInt(setting('client_max_body_size'), 10) * 2 ** 20).toBeGreaterThan(
      defaultLimits.bodyBytes,
    );
  });

  test('forwards streams as they come, and disconnects when its caller does', () => {
    // The default settings, which `npm run check:nginx` tests.
    expect(nginx).not.toMatch(/proxy_buffering|proxy_ignore_|gzip/);
    expect(Number.parseInt(setting('proxy_read_timeout'), 10) * 1_000).toBeGreaterThan(keepAliveMs);
    const [, shownMinutes] = /longer than `streams.totalMs` \((\d+) min\)/.exec(document) ?? [];
    expect(Number(shownMinutes) * 60_000).toBe(defaultStreamLimits.totalMs);
  });

  test('limits each address, above any rate limit', () => {
    const rate = /rate=(\d+)r\/s;$/m.exec(nginx)?.[1];
    expect(Number(rate)).toBeGreaterThan(defaultPlans.admin.ratePerSecond);
    expect(setting('limit_req')).toMatch(/^zone=model_gateway_requests burst=\d+ nodelay$/);
    expect(setting('limit_conn')).toMatch(/^model_gateway_connections \d+$/);
    expect([setting('limit_req_status'), setting('limit_conn_status')]).toEqual(['429', '429']);
    for (const zone of ['connections', 'requests']) {
      expect(nginx).toMatch(new RegExp(`^limit_\\w+_zone .* zone=model_gateway_${zone}:`, 'm'));
    }
    expect(setting('proxy_set_header X-Forwarded-For')).toBe('$proxy_add_x_forwarded_for');
  });

  test('sends no POST twice, and keeps no connection that the service has closed', () => {
    // With `non_idempotent` it would; without a setting it keeps idle connections for 60 s.
    expect(setting('proxy_next_upstream')).toBe('error timeout');
    expect(nginx).not.toContain('keepalive_timeout');
    expect(httpOptions.keepAliveTimeout).toBeGreaterThan(60_000);
    expect([setting('proxy_http_version'), setting('proxy_set_header Connection')]).toEqual([
      '1.1',
      '""',
    ]);
  });
});

describe('docs/model-gateway@.service', () => {
  const unit = readRepositoryFile('docs/model-gateway@.service');
  const setting = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1];

  test('runs as a user without rights, that may write only its data folder', () => {
    expect(setting('User')).toBe('model-gateway');
    expect(setting('NoNewPrivileges')).toBe('yes');
    expect(setting('CapabilityBoundingSet')).toBe('');
    expect(setting('ProtectSystem')).toBe('strict');
    expect(setting('ReadWritePaths')).toBe(`/var/lib/${setting('StateDirectory')}`);
  });

  test('starts the files of a clone, at the path of the document', () => {
    const [node = '', flag, launcher = '', ...rest] = setting('ExecStart')?.split(' ') ?? [];
    expect([flag, ...rest]).toEqual(['--disable-sigusr1', 'serve']);
    expect(node).toBe(`${setting('WorkingDirectory')}/node_modules/.bin/node`);
    expect(() => readRepositoryFile(launcher)).not.toThrow();
    expect(document).toContain(`\`${setting('WorkingDirectory')}\``);
  });

  test('leaves no memory of the process on a disk', () => {
    expect(setting('LimitCORE')).toBe('0');
  });

  test('gives it the time to stop, and the descriptors for its calls', () => {
    const shown = /stopDelayMs: (\d+)/.exec(document)?.[1];
    const stopMs = Number(shown) + defaultLimits.stopMs + 4_000;
    expect(Number(setting('TimeoutStopSec')) * 1_000).toBeGreaterThanOrEqual(stopMs);
    const limits = `Max open files            ${setting('LimitNOFILE')}`;
    expect(descriptorWarning(defaultLimits.inFlight, () => limits)).toBeUndefined();
  });

  test('gives it the memory that its bodies in flight can take', () => {
    expect(setting('MemoryMax')).toBe('2G');
    expect(document).toContain('bodyBytesInFlight: 67108864');
  });
});

test('docs/operations.md names the sections that its readers look for', () => {
  const sections = ['Configure', 'Run', 'TLS in front', 'Rotate a key', 'Onboard a team'];
  const others = [
    'Back up',
    'Restore',
    'Upgrade',
    'As a service',
    'Containers',
    'Several replicas',
  ];
  for (const heading of [...sections, ...others]) {
    expect(sectionOf(document, heading).length).toBeGreaterThan(100);
  }
});
