import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { InstanceType, SubnetType } from 'aws-cdk-lib/aws-ec2';
import {
  AuroraPostgresEngineVersion,
  CaCertificate,
  ClusterInstance,
  Credentials,
  DatabaseCluster,
  DatabaseClusterEngine,
  DatabaseInstance,
  DatabaseInstanceEngine,
  type IClusterEngine,
  type IInstanceEngine,
  ParameterGroup,
  PostgresEngineVersion,
  StorageType,
} from 'aws-cdk-lib/aws-rds';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import type { Deployment } from '../deployment/properties.ts';
import { acknowledge } from './acknowledge.ts';
import { database, ports } from './configuration.ts';
import type { Network } from './network.ts';

/** Two cores each; Aurora has none with less memory. */
const defaultInstance = { rds: 'm7g.large', aurora: 'r7g.large' } as const;

/** The number of days for a point-in-time restore. */
const keptDays = 14;

/**
 * The database, with a standby in the other zone that has every commit before its response. It
 * outlives the stack, as its backups do. Its password has no character with a meaning in a URL.
 */
export class Store extends Construct {
  readonly host: string;
  readonly secret: Secret;
  readonly database: DatabaseInstance | DatabaseCluster;

  constructor(scope: Construct, id: string, deployment: Deployment, network: Network) {
    super(scope, id);
    this.secret = new Secret(this, 'Secret', {
      description: 'The user of the database',
      generateSecretString: {
        secretStringTemplate: JSON.stringify({ username: database.user }),
        generateStringKey: 'password',
        passwordLength: 40,
        excludePunctuation: true,
      },
    });
    acknowledge(this.secret, {
      'AwsSolutions-SMG4':
        'a task reads the password when it starts, so a rotation that nothing follows would leave tasks without a way in: docs/deploy.md has the two commands',
    });
    this.secret.applyRemovalPolicy(RemovalPolicy.RETAIN);
    this.database =
      deployment.store === 'aurora'
        ? this.aurora(deployment, network)
        : this.instance(deployment, network);
    this.host =
      this.database instanceof DatabaseCluster
        ? this.database.clusterEndpoint.hostname
        : this.database.dbInstanceEndpointAddress;
  }

  private instance(deployment: Deployment, network: Network): DatabaseInstance {
    const engine = DatabaseInstanceEngine.postgres({ version: PostgresEngineVersion.VER_18_3 });
    const made = new DatabaseInstance(this, 'Database', {
      ...this.shared(network, engine),
      engine,
      databaseName: database.name,
      instanceType: new InstanceType(deployment.storeInstance ?? defaultInstance.rds),
      multiAz: true,
      storageType: StorageType.GP3,
      allocatedStorage: 100,
      maxAllocatedStorage: 1_000,
      backupRetention: Duration.days(keptDays),
      publiclyAccessible: false,
      caCertificate: CaCertificate.RDS_CA_RSA2048_G1,
      enablePerformanceInsights: true,
      autoMinorVersionUpgrade: true,
    });
    acknowledge(made, {
      'AwsSolutions-RDS11': 'another port hides nothing: one security group alone reaches this one',
    });
    return made;
  }

  private aurora(deployment: Deployment, network: Network): DatabaseCluster {
    const version = AuroraPostgresEngineVersion.VER_18_3;
    const engine = DatabaseClusterEngine.auroraPostgres({ version });
    const options = {
      instanceType: new InstanceType(deployment.storeInstance ?? defaultInstance.aurora),
      publiclyAccessible: false,
      caCertificate: CaCertificate.RDS_CA_RSA2048_G1,
      autoMinorVersionUpgrade: true,
    };
    const made = new DatabaseCluster(this, 'Database', {
      ...this.shared(network, engine),
      engine,
      defaultDatabaseName: database.name,
      writer: ClusterInstance.provisioned('Writer', options),
      // It takes over after a failure; the service calls only the writer.
      readers: [ClusterInstance.provisioned('Reader', { ...options, promotionTier: 0 })],
      backup: { retention: Duration.days(keptDays) },
    });
    acknowledge(made, {
      'AwsSolutions-RDS6': 'the service logs in by its password, which it reads from a secret',
    });
    return made;
  }

  private shared(network: Network, engine: IInstanceEngine | IClusterEngine) {
    return {
      vpc: network.vpc,
      vpcSubnets: { subnetType: SubnetType.PRIVATE_ISOLATED },
      securityGroups: [network.store],
      credentials: Credentials.fromSecret(this.secret),
      port: ports.store,
      storageEncrypted: true,
      deletionProtection: true,
      removalPolicy: RemovalPolicy.RETAIN,
      copyTagsToSnapshot: true,
      cloudwatchLogsExports: ['postgresql'],
      parameterGroup: new ParameterGroup(this, 'Parameters', {
        engine,
        parameters: { 'rds.force_ssl': '1', synchronous_commit: 'on' },
      }),
    };
  }
}
