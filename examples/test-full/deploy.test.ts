import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { stopWarning } from '../../packages/server/src/cli/start-warnings.ts';
import { loadConfig } from '../../packages/server/src/config/load-config.ts';
import type { Limits } from '../../packages/server/src/domain/limits.ts';
import { startPostgres, type TestPostgres } from '../../packages/server/test/support/postgres.ts';
import { startServed } from '../../packages/server/test/support/process.ts';
import { codeBlocks, readRepositoryFile, rootFolder, sectionOf } from '../testing/markdown.ts';

const document = readRepositoryFile('docs/deploy.md');
const compose = parse(readRepositoryFile('deploy/compose/compose.yaml'), { merge: true });
const blockOf = (heading: string, language: string) => {
  const [block, ...others] = codeBlocks(sectionOf(document, heading), language);
  expect([block === undefined, others]).toEqual([false, []]);
  return block ?? '';
};
const renderService = () => parse(blockOf('Render', 'yaml')).services[0];

/** The configurations of hosts, and how many seconds each host waits before it kills. */
const hosts = {
  'Cloud Run': () => ({
    text: blockOf('Cloud Run', 'yaml'),
    seconds: Number(/kills (\d+) s after SIGTERM/.exec(document)?.[1]),
  }),
  Fly: () => ({
    text: blockOf('Fly', 'yaml'),
    seconds: Number(/^kill_timeout = (\d+)$/m.exec(blockOf('Fly', 'toml'))?.[1]),
  }),
  Render: () => ({
    text: textOfRender(),
    seconds: Number(renderService().maxShutdownDelaySeconds),
  }),
} as const;

function textOfRender(): string {
  const variables: readonly { key: string; value?: string }[] = renderService().envVars;
  return variables.find(({ key }) => key === 'MODEL_GATEWAY_CONFIG_TEXT')?.value ?? '';
}

function configOf(text: string) {
  const loaded = loadConfig({
    ...{ file: 'MODEL_GATEWAY_CONFIG_TEXT', text },
    environment: { DATABASE_URL: 'postgres://host/database', DATABASE_PASSWORD: 'secret' },
    readFile: () => '',
  });
  if ('problems' in loaded) throw new Error(loaded.problems.join('\n'));
  return loaded.config;
}

const stopSeconds = ({ stopDelayMs, stopMs }: Limits) => (stopDelayMs + stopMs + 4_000) / 1_000;

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.close());

test('Cloud Run and Fly give the memory of 64 MiB of bodies in flight', () => {
  expect(document).toContain('--cpu 1 --memory 2Gi');
  expect(blockOf('Fly', 'toml')).toContain('memory = "2gb"');
});

describe.each(Object.entries(hosts))('the page of %s', (_name, read) => {
  test('leaves the service enough time to stop, and has no streams to end early', () => {
    const { text, seconds } = read();
    const { limits, streaming } = configOf(text);
    expect(seconds).toBeGreaterThanOrEqual(stopSeconds(limits));
    expect(stopWarning(limits, streaming)).toBeUndefined();
  });

  test('limits the bodies in flight to its memory', () => {
    expect(configOf(read().text).limits.bodyBytesInFlight).toBeLessThanOrEqual(67_108_864);
  });

  test('leads to a first call, by what it sets', async () => {
    const environment = {
      MODEL_GATEWAY_CONFIG_TEXT: `${read().text}admin: { port: 0 }\n`,
      ...{ DATABASE_URL: await postgres.database({ empty: true }), PORT: '0' },
    };
    const served = await startServed(['serve'], { cwd: rootFolder, environment });
    const url = served.url.replace('0.0.0.0', '127.0.0.1');
    expect((await fetch(`${url}/health`)).status).toBe(200);
    expect(await served.end('SIGTERM')).toBe(0);
    expect(served.lines().join('\n')).toMatch(
      /^curl -s https?:\/\/\S+\/v1\/chat -H 'x-api-key: mgk_/m,
    );
  });
});

describe('deploy/compose', () => {
  const replicas = ['gateway-1', 'gateway-2'] as const;
  const config = () => configOf(readRepositoryFile('deploy/compose/gateway.yaml'));

  test('gives each replica the time to stop, and no right', () => {
    for (const name of replicas) {
      const service = compose.services[name];
      const seconds = Number(/^(\d+)s$/.exec(service.stop_grace_period)?.[1]);
      expect(seconds).toBeGreaterThanOrEqual(stopSeconds(config().limits));
      expect(service).toMatchObject({
        ...{ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges'] },
        restart: 'unless-stopped',
      });
    }
  });

  test('has two replicas that differ only in their address, and nginx calls both', () => {
    const [one, two] = replicas.map((name) => {
      const { networks, ...service } = compose.services[name];
      return { address: networks.callers.ipv4_address, service };
    });
    expect(one?.service).toEqual(two?.service);
    const nginx = readRepositoryFile('deploy/compose/nginx.conf');
    const upstreams = [...nginx.matchAll(/server (\S+):8787/g)].map(([, address]) => address);
    expect(upstreams).toEqual([one?.address, two?.address]);
  });

  test('has the database at an address that each replica finds without a name server', () => {
    const { ipv4_address: address } = compose.services.postgres.networks.data;
    expect(compose.networks.data.ipam.config).toEqual([
      { subnet: address.replace(/\d+$/, '0/24') },
    ]);
    for (const name of replicas) {
      expect(compose.services[name].extra_hosts).toEqual([`postgres:${address}`]);
    }
    expect(config().store).toMatchObject({ url: expect.stringContaining('@postgres:5432/') });
  });

  test('has every line for nginx that the operators’ document has, but for names', () => {
    const [shown = ''] = codeBlocks(readRepositoryFile('docs/operations.md'), 'nginx');
    const own = /^(server \d|listen|server_name|ssl_certificate)/;
    const lines = (text: string) => text.split('\n').map((line) => line.trim());
    const rules = lines(shown).filter((line) => line !== '' && !own.test(line));
    expect(rules.length).toBeGreaterThan(15);
    const ours = lines(readRepositoryFile('deploy/compose/nginx.conf'));
    expect(ours).toEqual(expect.arrayContaining(rules));
  });

  test('names secrets that prepare makes, and writes none into a file of the repository', () => {
    const prepare = readRepositoryFile('deploy/compose/prepare');
    const made = (file: string) =>
      prepare.includes(`secrets.new/${file}`) ||
      prepare.includes(`certificate ${file.replace(/\.(key|pem)$/, '')} `);
    const files = Object.values(Object(compose.secrets)).map((secret) => Object(secret).file);
    expect(files).toHaveLength(8);
    for (const file of files) {
      expect([file, made(String(file).replace('./secrets/', ''))]).toEqual([file, true]);
    }
    const { store, publicUrl, trustedProxies } = config();
    expect(store).toMatchObject({ url: expect.stringContaining('sslmode=verify-full') });
    expect([publicUrl, trustedProxies]).toEqual([
      'https://localhost:8443',
      [compose.networks.callers.ipam.config[0].subnet],
    ]);
  });
});

// `npm run check:helm` renders and runs the parts that need Helm and an engine: checks/helm.
describe('deploy/helm/model-gateway', () => {
  const read = (path: string) => readRepositoryFile(`deploy/helm/model-gateway/${path}`);

  test('has the alerts and the dashboard of the documents', () => {
    expect(read('files/alerts.yml')).toBe(readRepositoryFile('docs/alerts.yml'));
    expect(read('files/dashboard.json')).toBe(readRepositoryFile('docs/grafana-dashboard.json'));
  });

  test('counts the time to stop with the service’s own defaults', () => {
    const template = read('templates/_config.tpl');
    const of = (pattern: RegExp) => Number(pattern.exec(template)?.[1]);
    const stopDelayMs = of(/dig "limits" "stopDelayMs" (\d+) /);
    const { limits } = configOf(
      '{ company: acme, store: sqlite:/x.db, platforms: { sandbox: { kind: simulator } } }',
    );
    expect(of(/\$stopMs := (\d+) /)).toBe(limits.stopMs);
    expect(of(/dig "streams" "totalMs" (\d+) /)).toBe(limits.streams.totalMs);
    const seconds = stopSeconds({ ...limits, stopDelayMs }) + 6;
    expect(template).toContain('(include "model-gateway.stopSeconds" .) 6 ');
    const stops = readRepositoryFile('docs/operations.md');
    expect(stops).toContain(
      `terminationGracePeriodSeconds: ${seconds}\` | its \`stopDelayMs: ${stopDelayMs}\``,
    );
    expect(document).toContain(`[its stop](operations.md#stop) takes: ${seconds} s`);
  });

  test('describes every value, and accepts no other', () => {
    const missing: string[] = [];
    const compare = (values: object, schema: Readonly<Record<string, unknown>>, path: string) => {
      const properties = Object(schema.properties);
      if (schema.properties === undefined) return;
      expect([path, schema.additionalProperties]).toEqual([path, false]);
      const chartKeys = Object.keys(properties).filter((key) => key !== 'global');
      const named = [...new Set([...chartKeys, ...Object.keys(values)])];
      for (const key of named) {
        const [value, rule] = [Object(values)[key], properties[key]];
        if (value === undefined || rule === undefined) missing.push(`${path}/${key}`);
        else if (value !== null) compare(Object(value), rule, `${path}/${key}`);
      }
    };
    compare(parse(read('values.yaml')), JSON.parse(read('values.schema.json')), '');
    expect(missing).toEqual([]);
  });
});
