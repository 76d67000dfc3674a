import { Duration } from 'aws-cdk-lib';
import { Repository } from 'aws-cdk-lib/aws-ecr';
import {
  AwsLogDriverMode,
  Capability,
  type ContainerDefinition,
  ContainerDependencyCondition,
  ContainerImage,
  CpuArchitecture,
  FargateTaskDefinition,
  type ICluster,
  LinuxParameters,
  LogDriver,
  OperatingSystemFamily,
  Secret as TaskSecret,
  UlimitName,
} from 'aws-cdk-lib/aws-ecs';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import { type ISecret, Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { ecrImage } from '../deployment/problems.ts';
import type { Deployment } from '../deployment/properties.ts';
import type { Times } from '../times.ts';
import { acknowledge } from './acknowledge.ts';
import {
  authorityPath,
  configurationText,
  dataFolder,
  nameOfVariable,
  ports,
} from './configuration.ts';
import { databaseAuthority } from './database-authority.ts';
import type { Store } from './store.ts';

/** The common parts of every task of the service. */
export interface TaskParts {
  readonly deployment: Deployment;
  readonly times: Times;
  readonly cluster: ICluster;
  readonly logGroup: LogGroup;
  /** Undefined where the store is elsewhere. */
  readonly store: Store | undefined;
  /** Ids of projects by the names of their apps. */
  readonly projects: ReadonlyMap<string, string>;
}

/**
 * A task of the service: its user has no right and no capability. Only operators' sessions can
 * write files. A first container writes RDS' authority into the shared folder, since PostgreSQL's
 * client requires a file.
 */
export class Task extends Construct {
  readonly definition: FargateTaskDefinition;
  readonly container: ContainerDefinition;

  constructor(scope: Construct, id: string, parts: TaskParts, isOperator: boolean) {
    super(scope, id);
    this.definition = new FargateTaskDefinition(this, 'Definition', {
      taskRole: isOperator ? undefined : this.role(parts.deployment),
      cpu: 1_024,
      // Enough for the bodies in flight of `configuration.ts`.
      memoryLimitMiB: 2_048,
      runtimePlatform: {
        cpuArchitecture: CpuArchitecture.ARM64,
        operatingSystemFamily: OperatingSystemFamily.LINUX,
      },
      volumes: [{ name: 'authority' }],
    });
    this.container = this.definition.addContainer('gateway', {
      ...this.shared(parts, 'gateway', isOperator),
      environment: environmentOf(parts),
      secrets: this.secretsOf(parts),
      portMappings: [{ containerPort: ports.calls }],
      stopTimeout: Duration.seconds(parts.times.stopTimeoutSeconds),
      ulimits: [{ name: UlimitName.NOFILE, softLimit: 65_535, hardLimit: 65_535 }],
    });
    this.addAuthority(parts);
    acknowledge(this, {
      'CloudFormation-Validate::E1029':
        'what stands in braces in the configuration is for the service, not for CloudFormation',
      'AwsSolutions-ECS2':
        'the configuration contains no secret: every secret is in Secrets Manager',
      'AwsSolutions-IAM5[Resource::*]':
        'ecr:GetAuthorizationToken, bedrock-mantle:CallWithBearerToken and, for operators, ssmmessages have no resource',
    });
  }

  /** Policies of the organization refer to its name. */
  private role({ company, region }: Deployment): Role {
    return new Role(this, 'Role', {
      roleName: `model-gateway-${company}-${region}`,
      assumedBy: new ServicePrincipal('ecs-tasks.amazonaws.com'),
    });
  }

  private addAuthority({ deployment, ...parts }: TaskParts): void {
    const { container } = this;
    const write = `require('node:fs').writeFileSync('${authorityPath}', process.env.AUTHORITY)`;
    const authority = this.definition.addContainer('authority', {
      ...this.shared({ deployment, ...parts }, 'authority', false),
      essential: false,
      entryPoint: ['node', '--eval', write],
      environment: { AUTHORITY: databaseAuthority(deployment.region) ?? '' },
    });
    const volume = { containerPath: dataFolder, sourceVolume: 'authority' };
    authority.addMountPoints({ ...volume, readOnly: false });
    container.addMountPoints({ ...volume, readOnly: true });
    const condition = ContainerDependencyCondition.SUCCESS;
    container.addContainerDependencies({ container: authority, condition });
  }

  private shared(
    { deployment, logGroup }: Omit<TaskParts, 'times'>,
    id: string,
    isOperator: boolean,
  ) {
    const linuxParameters = new LinuxParameters(this, `Rights-${id}`);
    // AWS' own session program runs as root in an operator's task, and needs its rights.
    if (!isOperator) linuxParameters.dropCapabilities(Capability.ALL);
    return {
      image: this.imageOf(deployment, id),
      user: '1000:1000',
      readonlyRootFilesystem: !isOperator,
      linuxParameters,
      logging: LogDriver.awsLogs({
        logGroup,
        streamPrefix: isOperator ? 'operator' : 'task',
        // A slow log must not delay calls; lines that do not fit are lost.
        mode: AwsLogDriverMode.NON_BLOCKING,
      }),
    };
  }

  private imageOf({ image, region }: Deployment, id: string): ContainerImage {
    const ecr = ecrImage(image, region);
    if (ecr === undefined) return ContainerImage.fromRegistry(image);
    const { account, repository, version } = ecr;
    const repositoryArn = `arn:aws:ecr:${region}:${account}:repository/${repository}`;
    const attributes = { repositoryArn, repositoryName: repository };
    const made = Repository.fromRepositoryAttributes(this, `Repository-${id}`, attributes);
    return ContainerImage.fromEcrRepository(made, version);
  }

  private secretsOf({ deployment, store }: TaskParts): Record<string, TaskSecret> {
    const { keyRingSecretArn, storeSecretArn, platforms, secrets: named } = deployment;
    const given = (id: string, arn: string): ISecret => Secret.fromSecretCompleteArn(this, id, arn);
    const whole = (id: string, arn: string) => TaskSecret.fromSecretsManager(given(id, arn));
    const secrets = { MODEL_GATEWAY_KEYS: whole('KeyRing', keyRingSecretArn) };
    const others = Object.entries(named).map(([name, arn]) => [name, whole(`Secret-${name}`, arn)]);
    const keys = Object.entries(platforms).flatMap(([name, { apiKeySecretArn }]) => {
      if (apiKeySecretArn === undefined) return [];
      return [[nameOfVariable('PLATFORM', name), whole(`Platform-${name}`, apiKeySecretArn)]];
    });
    const database =
      store !== undefined
        ? { DATABASE_PASSWORD: TaskSecret.fromSecretsManager(store.secret, 'password') }
        : storeSecretArn !== undefined
          ? { DATABASE_URL: whole('StoreUrl', storeSecretArn) }
          : {};
    return { ...secrets, ...database, ...Object.fromEntries([...keys, ...others]) };
  }
}

function environmentOf({ deployment, times, store, projects }: TaskParts): Record<string, string> {
  const ids = [...projects].map(([app, id]) => [nameOfVariable('PROJECT', app), id] as const);
  return {
    MODEL_GATEWAY_CONFIG_TEXT: configurationText(deployment, times),
    ...(store === undefined ? {} : { DATABASE_HOST: store.host }),
    ...Object.fromEntries(ids),
  };
}
