import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { createSecureContext } from 'node:tls';
import { describe, expect, test } from 'vitest';
import { run } from '../../../harness/process.ts';
import { gatewayContainer, type Synthesized, synthesize } from './synthesize.ts';

const { gateway } = synthesize();
const streaming = synthesize({ streaming: true }).gateway;
const nat = synthesize({ egress: 'nat' }).gateway;
const aurora = synthesize({ store: 'aurora' }).gateway;

/** Attributes of a balancer or its targets, by name. */
function attributes({ Properties }: { readonly Properties: object }, key: string) {
  const list: readonly { Key: string; Value: string }[] = Object(Properties)[key];
  return Object.fromEntries(list.map(({ Key, Value }) => [Key, Value]));
}

describe('the network', () => {
  test('reaches only the listed services', () => {
    const types = ['InternetGateway', 'NatGateway', 'EIP', 'Route'];
    for (const type of types) expect([type, gateway.of(`AWS::EC2::${type}`)]).toEqual([type, []]);
    const names = gateway
      .of('AWS::EC2::VPCEndpoint')
      .map(({ Properties: { ServiceName } }) => JSON.stringify(ServiceName));
    const services = [
      'bedrock-mantle',
      'ecr.api',
      'ecr.dkr',
      'logs',
      'secretsmanager',
      'ssmmessages',
    ];
    expect(names).toHaveLength(services.length + 1);
    for (const name of [...services, 's3']) {
      expect([name, names.some((found) => found.includes(`.${name}"`))]).toEqual([name, true]);
    }
  });

  test.each([
    ['none', gateway, 0],
    ['nat', nat, 2],
  ])(
    'with egress %s admits no connection from everywhere, and assigns no public address',
    (_, template, gateways) => {
      expect(template.of('AWS::EC2::NatGateway')).toHaveLength(gateways);
      const incoming = [
        ...template.of('AWS::EC2::SecurityGroupIngress').map(({ Properties }) => Properties),
        ...template
          .of('AWS::EC2::SecurityGroup')
          .flatMap(({ Properties }) => Properties.SecurityGroupIngress ?? []),
      ];
      expect(incoming.length).toBeGreaterThan(3);
      for (const rule of incoming) {
        expect(rule.CidrIp === undefined || rule.CidrIp === '10.80.0.0/16').toBe(true);
        expect(rule.IpProtocol).toBe('tcp');
      }
      for (const { Properties } of template.of('AWS::EC2::Subnet')) {
        expect(Properties.MapPublicIpOnLaunch).toBe(false);
      }
      const service = template.one('AWS::ECS::Service').Properties;
      expect(service.NetworkConfiguration.AwsvpcConfiguration.AssignPublicIp).toBe('DISABLED');
    },
  );

  test('lets only the tasks out to foreign addresses, on one port', () => {
    const open = gateway.of('AWS::EC2::SecurityGroup').flatMap(({ id, Properties }) => {
      const rules: readonly { CidrIp: string; FromPort: number }[] =
        Properties.SecurityGroupEgress ?? [];
      return rules
        .filter(({ CidrIp }) => CidrIp === '0.0.0.0/0')
        .map(({ FromPort }) => [id.replace(/[0-9A-F]{8}$/, ''), FromPort]);
    });
    expect(open).toEqual([['NetworkTasks', 443]]);
  });

  test('keeps flow logs', () => {
    expect(gateway.one('AWS::EC2::FlowLog').Properties.TrafficType).toBe('ALL');
  });
});

describe('the store', () => {
  test('is PostgreSQL 18 with a synchronous standby, and outlives the stack', () => {
    const database = gateway.one('AWS::RDS::DBInstance');
    expect(database).toMatchObject({ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' });
    expect(database.Properties).toMatchObject({
      ...{ Engine: 'postgres', EngineVersion: expect.stringMatching(/^18\./) },
      ...{ MultiAZ: true, StorageType: 'gp3', StorageEncrypted: true, DeletionProtection: true },
      ...{ BackupRetentionPeriod: 14, PubliclyAccessible: false },
    });
    const parameters = gateway.one('AWS::RDS::DBParameterGroup').Properties.Parameters;
    expect(parameters).toEqual({ 'rds.force_ssl': '1', synchronous_commit: 'on' });
  });

  test('may be Aurora, with a second instance that takes over', () => {
    const cluster = aurora.one('AWS::RDS::DBCluster');
    expect(cluster).toMatchObject({ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' });
    expect(cluster.Properties).toMatchObject({
      ...{ Engine: 'aurora-postgresql', EngineVersion: expect.stringMatching(/^18\./) },
      ...{ StorageEncrypted: true, DeletionProtection: true, BackupRetentionPeriod: 14 },
    });
    expect(aurora.of('AWS::RDS::DBInstance')).toHaveLength(2);
    const parameters = aurora.one('AWS::RDS::DBClusterParameterGroup').Properties.Parameters;
    expect(parameters).toEqual({ 'rds.force_ssl': '1', synchronous_commit: 'on' });
  });

  test('has a password without a character that a URL would interpret', () => {
    const secret = gateway.one('AWS::SecretsManager::Secret');
    expect(secret.DeletionPolicy).toBe('Retain');
    expect(secret.Properties.GenerateSecretString).toMatchObject({
      ...{ ExcludePunctuation: true, PasswordLength: 40 },
      SecretStringTemplate: '{"username":"gateway"}',
    });
  });

  test('is authenticated by its region’s authority, which the first container writes', async () => {
    const { containers, gateway: service } = gatewayContainer(gateway);
    // biome-ignore lint/suspicious/noExplicitAny: parts of a template have no types
    const authority: any = containers.find(({ Name }) => Name === 'authority');
    const folder = mkdtempSync(join(tmpdir(), 'model-gateway-authority-'));
    const file = join(folder, 'rds.pem');
    const [, flag, script] = authority.EntryPoint;
    const env = { AUTHORITY: authority.Environment[0].Value };
    const argv = [flag, String(script).replace('/var/lib/model-gateway/rds.pem', file)];
    await run(process.execPath, argv, { env });
    const written = readFileSync(file, 'utf8');
    rmSync(folder, { recursive: true });
    const certificates = written.split(/(?<=-----END CERTIFICATE-----\n)/).filter(Boolean);
    expect(certificates).toHaveLength(3);
    for (const pem of certificates) {
      const { ca, subject, validToDate } = new X509Certificate(pem);
      expect([ca, subject]).toEqual([true, expect.stringContaining('RDS eu-west-1 Root CA')]);
      expect(validToDate.getFullYear()).toBeGreaterThan(2060);
    }
    createSecureContext({ ca: written });
    const volume = { ContainerPath: '/var/lib/model-gateway', SourceVolume: 'authority' };
    expect(authority.MountPoints).toEqual([{ ...volume, ReadOnly: false }]);
    expect(service.MountPoints).toEqual([{ ...volume, ReadOnly: true }]);
    expect(service.DependsOn).toEqual([{ Condition: 'SUCCESS', ContainerName: 'authority' }]);
  });
});

describe('the service', () => {
  test('is a task without rights, on ARM64', () => {
    const { task, gateway: container } = gatewayContainer(gateway);
    expect(task.Properties).toMatchObject({
      ...{ Cpu: '1024', Memory: '2048', RequiresCompatibilities: ['FARGATE'] },
      RuntimePlatform: { CpuArchitecture: 'ARM64', OperatingSystemFamily: 'LINUX' },
    });
    expect(container).toMatchObject({
      ...{ User: '1000:1000', ReadonlyRootFilesystem: true, Essential: true },
      LinuxParameters: { Capabilities: { Drop: ['ALL'] } },
      PortMappings: [{ ContainerPort: 8787, Protocol: 'tcp' }],
    });
    expect(container.LogConfiguration.Options).toMatchObject({ mode: 'non-blocking' });
  });

  test('has two to eight tasks, and none ends before another one has started', () => {
    expect(gateway.one('AWS::ECS::Service').Properties).toMatchObject({
      DeploymentConfiguration: {
        ...{ MinimumHealthyPercent: 100, MaximumPercent: 200 },
        DeploymentCircuitBreaker: { Enable: true, Rollback: true },
      },
      ...{ DesiredCount: 2, LaunchType: 'FARGATE', AvailabilityZoneRebalancing: 'ENABLED' },
    });
    const target = gateway.one('AWS::ApplicationAutoScaling::ScalableTarget').Properties;
    expect([target.MinCapacity, target.MaxCapacity]).toEqual([2, 8]);
    const scaled = gateway
      .of('AWS::ApplicationAutoScaling::ScalingPolicy')
      .map(({ Properties }) => Properties.TargetTrackingScalingPolicyConfiguration)
      .map((policy) => [
        policy.PredefinedMetricSpecification.PredefinedMetricType,
        policy.TargetValue,
      ]);
    expect(scaled.toSorted()).toEqual([
      ['ALBRequestCountPerTarget', 6_000],
      ['ECSServiceAverageCPUUtilization', 60],
    ]);
  });

  test("is an image of the region's ECR, or of another reachable registry", () => {
    const image = (template: Synthesized) =>
      JSON.stringify(gatewayContainer(template).gateway.Image);
    expect(image(gateway)).toContain('111122223333.dkr.ecr.eu-west-1.');
    const elsewhere = `ghcr.io/acme/model-gateway@sha256:${'0'.repeat(64)}`;
    expect(image(synthesize({ egress: 'nat', image: elsewhere }).gateway)).toContain(elsewhere);
  });
});

describe('the balancer', () => {
  const listenerOf = (template: Synthesized) =>
    template.one('AWS::ElasticLoadBalancingV2::Listener').Properties;

  test('is internal, uses TLS 1.3, and waits longer than a call but less than the service', () => {
    const balancer = gateway.one('AWS::ElasticLoadBalancingV2::LoadBalancer');
    expect(balancer.Properties).toMatchObject({ Scheme: 'internal', Type: 'application' });
    const found = attributes(balancer, 'LoadBalancerAttributes');
    const idle = Number(found['idle_timeout.timeout_seconds']);
    expect([idle > 29, idle < 75]).toEqual([true, true]);
    expect(found).toMatchObject({
      ...{ 'access_logs.s3.enabled': 'true', 'deletion_protection.enabled': 'true' },
      'routing.http.drop_invalid_header_fields.enabled': 'true',
    });
    expect(listenerOf(gateway)).toMatchObject({
      ...{ Port: 443, Protocol: 'HTTPS', SslPolicy: 'ELBSecurityPolicy-TLS13-1-3-2021-06' },
      Certificates: [{ CertificateArn: expect.stringContaining(':acm:eu-west-1:') }],
    });
  });

  test.each([
    ['without streams', gateway, '30'],
    ['with streams', streaming, '110'],
  ])('leaves a removed replica its connections, %s', (_, template, seconds) => {
    const targets = template.one('AWS::ElasticLoadBalancingV2::TargetGroup');
    expect(attributes(targets, 'TargetGroupAttributes')).toMatchObject({
      'deregistration_delay.timeout_seconds': seconds,
      'load_balancing.algorithm.type': 'least_outstanding_requests',
    });
    expect(targets.Properties).toMatchObject({
      ...{ HealthCheckPath: '/health', HealthCheckIntervalSeconds: 5, TargetType: 'ip' },
      ...{ Port: 8787, UnhealthyThresholdCount: 2 },
    });
  });

  test('accepts the named networks, and no other', () => {
    const callers = ['10.10.0.0/16', '10.20.0.0/16'];
    const balancers = synthesize({ callers })
      .gateway.of('AWS::EC2::SecurityGroup')
      .find(({ id }) => id.startsWith('NetworkBalancer'));
    const rules: readonly { CidrIp: string; FromPort: number }[] =
      balancers?.Properties.SecurityGroupIngress;
    expect(rules.map(({ CidrIp, FromPort }) => [CidrIp, FromPort])).toEqual(
      callers.map((network) => [network, 443]),
    );
  });
});

describe('monitoring', () => {
  const alarms = gateway.of('AWS::CloudWatch::Alarm').map(({ Properties }) => Properties);
  const named = (text: string) =>
    alarms.filter((alarm) => JSON.stringify(alarm).includes(`"${text}"`)).length;

  test.each([
    ...['UnHealthyHostCount', 'HTTPCode_Target_5XX_Count', 'HTTPCode_ELB_5XX_Count'],
    ...['TargetResponseTime', 'CPUUtilization', 'FreeStorageSpace', 'WriteLatency'],
    ...['Internal', 'EstimatedCalls'],
  ])('has an alarm for %s', (name) => {
    expect(named(name)).toBeGreaterThan(0);
  });

  test("counts lines of the service's log", () => {
    const patterns = gateway
      .of('AWS::Logs::MetricFilter')
      .map(({ Properties }) => Properties.FilterPattern);
    expect(patterns.toSorted()).toEqual([
      '{ $.callId = * }',
      '{ $.code = "INTERNAL" }',
      '{ $.estimated IS TRUE }',
    ]);
    const written = readFileSync(
      join(import.meta.dirname, '../../../packages/server/src/observe/request-lines.ts'),
      'utf8',
    );
    for (const field of ['callId', 'code', 'estimated']) {
      expect(written).toContain(`    ${field}: `);
    }
  });

  test('notifies a named topic, and has a dashboard', () => {
    const alarmTopicArn = 'arn:aws:sns:eu-west-1:111122223333:operators';
    const notifying = synthesize({ alarmTopicArn }).gateway.of('AWS::CloudWatch::Alarm');
    for (const { Properties } of notifying)
      expect(Properties.AlarmActions).toEqual([alarmTopicArn]);
    expect(notifying.length).toBe(alarms.length);
    expect(gateway.one('AWS::CloudWatch::Dashboard').Properties.DashboardName).toBe(
      'acme-model-gateway',
    );
  });

  test('is retained for a month', () => {
    for (const { id, Properties } of gateway.of('AWS::Logs::LogGroup')) {
      expect([id, Properties.RetentionInDays]).toEqual([id, 30]);
    }
  });
});
