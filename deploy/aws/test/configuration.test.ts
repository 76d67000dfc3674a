import { describe, expect, test } from 'vitest';
import { stopWarning } from '../../../packages/server/src/cli/start-warnings.ts';
import { loadConfig } from '../../../packages/server/src/config/load-config.ts';
import { gatewayContainer, type Synthesized, synthesize } from './synthesize.ts';

const storeSecretArn = 'arn:aws:secretsmanager:eu-west-1:111122223333:secret:store-AbCdEf';
const apiKeySecretArn = 'arn:aws:secretsmanager:eu-west-1:111122223333:secret:hosted-AbCdEf';
const hosted = {
  kind: 'openai-compatible',
  baseUrl: 'https://models.acme.example/v1',
  apiKeySecretArn,
};

const hookSecret = `\${${'HOOK_SECRET'}}`;

const variants: readonly (readonly [string, object])[] = [
  ['the example', {}],
  ['streams', { streaming: true }],
  ['a REST API', { front: 'rest-api' }],
  ['Aurora', { store: 'aurora' }],
  ['a store elsewhere', { store: 'external', storeSecretArn, egress: 'nat' }],
  ['another platform', { platforms: { hosted }, egress: 'nat' }],
  [
    'hooks with a secret',
    {
      ...{ egress: 'nat', secrets: { HOOK_SECRET: apiKeySecretArn } },
      gateway: {
        notify: [{ name: 'ops', url: 'https://hooks.acme.example/', secret: hookSecret }],
      },
    },
  ],
  [
    'an app without a project',
    {
      ...{ platforms: { hosted }, egress: 'nat', gateway: { defaultPlatform: 'hosted' } },
      apps: [{ name: 'search', dailyBudgetUsd: '5', project: 'none' }],
    },
  ],
  [
    'a project that is there, and further keys',
    {
      apps: [{ name: 'search', dailyBudgetUsd: '5', project: 'proj_abc123', tags: { team: 'a' } }],
      gateway: {
        ...{ unpriced: 'refuse', limits: { inFlight: 500 } },
        budgets: [{ name: 'company', apps: 'all', monthlyUsd: '900' }],
      },
    },
  ],
];

/** The environment of a task, as the service sees it. */
function environmentOf(template: Synthesized, who: 'Task' | 'Operator') {
  const { gateway } = gatewayContainer(template, who);
  const plain: readonly { Name: string; Value: unknown }[] = gateway.Environment;
  const secrets: readonly { Name: string }[] = gateway.Secrets;
  const values = plain.map(({ Name, Value }) => {
    if (typeof Value === 'string') return [Name, Value] as const;
    // The values that CloudFormation fills in at deployment.
    return [Name, Name.startsWith('PROJECT_') ? `proj_${Name.toLowerCase().slice(8)}` : 'db.local'];
  });
  return {
    values: Object.fromEntries(values),
    secrets: Object.fromEntries(secrets.map(({ Name }) => [Name, secretOf(Name)])),
  };
}

function secretOf(name: string): string {
  if (name === 'MODEL_GATEWAY_KEYS') return '2026:0123456789-abcdefghij-0123456789';
  if (name === 'HOOK_SECRET') return `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
  return name === 'DATABASE_URL' ? 'postgres://user:password@db.local/gateway' : 'Secret1';
}

function load(template: Synthesized, who: 'Task' | 'Operator' = 'Task') {
  const { values, secrets } = environmentOf(template, who);
  const { MODEL_GATEWAY_CONFIG_TEXT: text = '', ...others } = values;
  const readNames = new Set<string>();
  const environment = new Proxy(
    { ...others, ...secrets },
    {
      get(all: Record<string, string>, name) {
        readNames.add(String(name));
        return all[String(name)];
      },
    },
  );
  const file = 'MODEL_GATEWAY_CONFIG_TEXT';
  const loaded = loadConfig({ file, text, environment, readFile: () => '' });
  if ('problems' in loaded) throw new Error(loaded.problems.join('\n'));
  const given = Object.keys({ ...others, ...secrets });
  return { text, config: loaded.config, unread: given.filter((name) => !readNames.has(name)) };
}

describe.each(variants)('the configuration of %s', (_name, properties) => {
  const template = synthesize(properties).gateway;

  test.each(['Task', 'Operator'] as const)('is loaded by the service in the %s', (who) => {
    const { config, unread } = load(template, who);
    expect(unread).toEqual([]);
    expect(config.company).toBe('acme');
    expect(config.listen).toEqual({ host: '0.0.0.0', port: 8_787 });
    expect(config.admin).toMatchObject({ host: '127.0.0.1' });
    expect(config.keyRing).toBeDefined();
  });

  test('limits the bodies in flight to the memory of a task', () => {
    expect(load(template).config.limits.bodyBytesInFlight).toBe(67_108_864);
  });

  test('leaves the service enough time to stop', () => {
    const { config } = load(template);
    const { stopDelayMs, stopMs } = config.limits;
    const { StopTimeout } = gatewayContainer(template).gateway;
    expect(StopTimeout * 1_000).toBeGreaterThanOrEqual(stopDelayMs + stopMs + 4_000);
    const targets = template.one('AWS::ElasticLoadBalancingV2::TargetGroup').Properties;
    const { HealthCheckIntervalSeconds: every, UnhealthyThresholdCount: failures } = targets;
    expect(stopDelayMs).toBeGreaterThanOrEqual(every * failures * 1_000);
  });
});

describe('the configuration', () => {
  test('binds each app to its project, and mints the keys of mantle', () => {
    const { config } = load(synthesize().gateway);
    expect(config.apps.map(({ name, projects }) => [name, projects])).toEqual([
      ['search', { mantle: 'proj_search' }],
      ['tutor', { mantle: 'proj_tutor' }],
    ]);
    const [mantle, ...others] = config.platforms;
    expect([mantle, others]).toEqual([
      expect.objectContaining({ kind: 'bedrock-mantle', region: 'eu-west-1' }),
      [],
    ]);
    expect(mantle?.apiKey).toBeUndefined();
  });

  test('has its store over verified TLS', () => {
    const { config, text } = load(synthesize().gateway);
    expect(config.store).toEqual({
      kind: 'postgres',
      url: 'postgres://gateway:Secret1@db.local:5432/gateway?sslmode=verify-full&sslrootcert=/var/lib/model-gateway/rds.pem',
    });
    expect(text).not.toContain('Secret1');
  });

  test('with streams waits 100 s at shutdown, and the task 120 s', () => {
    const template = synthesize({ streaming: true }).gateway;
    const { config } = load(template);
    expect([config.streaming, config.limits.stopMs]).toEqual([true, 100_000]);
    expect(gatewayContainer(template).gateway.StopTimeout).toBe(120);
    // Longer streams end early, and a startup warning reports it.
    expect(stopWarning(config.limits, config.streaming)).toContain('100');
  });

  test('with streams that fit the shutdown ends none early', () => {
    const gateway = { streams: { totalMs: 100_000 } };
    const { config } = load(synthesize({ streaming: true, gateway }).gateway);
    expect(stopWarning(config.limits, config.streaming)).toBeUndefined();
  });

  test("behind a REST API returns its own 504 before the API's", () => {
    const { config } = load(synthesize({ front: 'rest-api' }).gateway);
    expect(config.limits.gatewayMs).toBe(28_500);
    expect(config.limits.gatewayMs).toBeGreaterThan(config.limits.modelCallMs);
  });

  test("contains the callers' address, and the trusted proxy", () => {
    const { config } = load(synthesize().gateway);
    expect([config.publicUrl, config.trustedProxies]).toEqual([
      'https://gateway.acme.example',
      ['10.80.0.0/16'],
    ]);
  });
});
