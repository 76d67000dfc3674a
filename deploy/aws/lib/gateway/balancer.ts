import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { Peer, Port } from 'aws-cdk-lib/aws-ec2';
import type { FargateService } from 'aws-cdk-lib/aws-ecs';
import {
  type ApplicationListener,
  ApplicationLoadBalancer,
  ApplicationProtocol,
  type ApplicationTargetGroup,
  SslPolicy,
  TargetGroupLoadBalancingAlgorithmType,
} from 'aws-cdk-lib/aws-elasticloadbalancingv2';
import { BlockPublicAccess, Bucket, BucketEncryption } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import type { Deployment } from '../deployment/properties.ts';
import { health, idleSeconds, type Times } from '../times.ts';
import { acknowledge } from './acknowledge.ts';
import { ports } from './configuration.ts';
import type { Network } from './network.ts';

/** The balancer for the company's callers: it has no public address. */
export class Balancer extends Construct {
  readonly balancer: ApplicationLoadBalancer;
  readonly listener: ApplicationListener;
  readonly targets: ApplicationTargetGroup;

  constructor(
    scope: Construct,
    id: string,
    parts: {
      readonly deployment: Deployment;
      readonly times: Times;
      readonly network: Network;
      readonly tasks: FargateService;
    },
  ) {
    super(scope, id);
    const { deployment, times, network, tasks } = parts;
    this.balancer = new ApplicationLoadBalancer(this, 'Balancer', {
      vpc: network.vpc,
      vpcSubnets: { subnetType: network.inside },
      securityGroup: network.balancer,
      internetFacing: false,
      idleTimeout: Duration.seconds(idleSeconds),
      dropInvalidHeaderFields: true,
      deletionProtection: true,
    });
    this.balancer.logAccessLogs(this.logs());
    const certificate = Certificate.fromCertificateArn(
      this,
      'Certificate',
      deployment.certificateArn,
    );
    this.listener = this.balancer.addListener('Calls', {
      port: 443,
      protocol: ApplicationProtocol.HTTPS,
      certificates: [certificate],
      // The REST API does not document TLS 1.3 to a balancer.
      sslPolicy: deployment.front === 'alb' ? SslPolicy.TLS13_13 : SslPolicy.RECOMMENDED_TLS,
      open: false,
    });
    this.targets = this.listener.addTargets('Tasks', {
      port: ports.calls,
      protocol: ApplicationProtocol.HTTP,
      targets: [tasks],
      deregistrationDelay: Duration.seconds(times.deregistrationSeconds),
      loadBalancingAlgorithmType: TargetGroupLoadBalancingAlgorithmType.LEAST_OUTSTANDING_REQUESTS,
      healthCheck: {
        path: '/health',
        interval: Duration.seconds(health.intervalSeconds),
        timeout: Duration.seconds(health.timeoutSeconds),
        healthyThresholdCount: 2,
        unhealthyThresholdCount: health.failures,
      },
    });
    // Behind a REST API, no other client needs access.
    const own = deployment.front === 'alb' ? [deployment.network] : [];
    for (const callers of deployment.callers ?? own) {
      network.balancer.addIngressRule(Peer.ipv4(callers), Port.tcp(443), 'Callers');
    }
  }

  private logs(): Bucket {
    const bucket = new Bucket(this, 'Logs', {
      encryption: BucketEncryption.S3_MANAGED,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      enforceSSL: true,
      lifecycleRules: [{ expiration: Duration.days(90) }],
      removalPolicy: RemovalPolicy.RETAIN,
    });
    acknowledge(bucket, {
      'AwsSolutions-S1': 'it has the logs itself; nothing reads it but people',
    });
    return bucket;
  }
}
