import { RemovalPolicy } from 'aws-cdk-lib';
import {
  FlowLogDestination,
  GatewayVpcEndpointAwsService,
  InterfaceVpcEndpointAwsService,
  IpAddresses,
  type ISecurityGroup,
  Peer,
  Port,
  SecurityGroup,
  SubnetType,
  Vpc,
} from 'aws-cdk-lib/aws-ec2';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Deployment } from '../deployment/properties.ts';
import { ports } from './configuration.ts';

/** The services that the tasks call inside the network, each by a private address. */
const endpoints = {
  Mantle: new InterfaceVpcEndpointAwsService('bedrock-mantle'),
  EcrApi: InterfaceVpcEndpointAwsService.ECR,
  EcrDocker: InterfaceVpcEndpointAwsService.ECR_DOCKER,
  Logs: InterfaceVpcEndpointAwsService.CLOUDWATCH_LOGS,
  Secrets: InterfaceVpcEndpointAwsService.SECRETS_MANAGER,
  // Only for operators' commands.
  Sessions: InterfaceVpcEndpointAwsService.SSM_MESSAGES,
} as const;

/**
 * A network over two zones. With `egress: none` only the listed services are reachable from it.
 * With `nat` its tasks reach the internet, and no host there reaches them.
 */
export class Network extends Construct {
  readonly vpc: Vpc;
  /** The subnets of tasks and the balancer. */
  readonly inside: SubnetType;
  readonly balancer: SecurityGroup;
  readonly tasks: SecurityGroup;
  readonly store: SecurityGroup;

  constructor(scope: Construct, id: string, deployment: Deployment) {
    super(scope, id);
    const { egress, network } = deployment;
    const isolated = { name: 'isolated', subnetType: SubnetType.PRIVATE_ISOLATED, cidrMask: 22 };
    const leaving = [
      { name: 'tasks', subnetType: SubnetType.PRIVATE_WITH_EGRESS, cidrMask: 22 },
      { name: 'nat', subnetType: SubnetType.PUBLIC, cidrMask: 26, mapPublicIpOnLaunch: false },
    ];
    this.inside = egress === 'nat' ? SubnetType.PRIVATE_WITH_EGRESS : SubnetType.PRIVATE_ISOLATED;
    this.vpc = new Vpc(this, 'Vpc', {
      ipAddresses: IpAddresses.cidr(network),
      natGateways: egress === 'nat' ? 2 : 0,
      subnetConfiguration: egress === 'nat' ? [isolated, ...leaving] : [isolated],
      // Otherwise CDK would deploy a separate function for it.
      restrictDefaultSecurityGroup: false,
      gatewayEndpoints: { S3: { service: GatewayVpcEndpointAwsService.S3 } },
    });
    this.keepFlows();
    this.balancer = this.group('Balancer', 'What callers reach');
    this.tasks = this.group('Tasks', 'The service');
    this.store = this.group('Store', 'The database');
    this.connect(deployment);
  }

  /** A security group of this network, which allows only listed outgoing traffic. */
  group(id: string, description: string): SecurityGroup {
    const { vpc } = this;
    return new SecurityGroup(this, id, { vpc, description, allowAllOutbound: false });
  }

  /** Lets one group open connections to a port of another. */
  allow(from: ISecurityGroup, to: ISecurityGroup, port: number, what: string): void {
    from.addEgressRule(to, Port.tcp(port), what);
    to.addIngressRule(from, Port.tcp(port), what);
  }

  private connect({ egress, store, storePort }: Deployment): void {
    this.allow(this.balancer, this.tasks, ports.calls, 'Calls');
    // A database that was restored by hand joins this group, independent of the stack's own group.
    this.allow(this.tasks, this.store, ports.store, 'PostgreSQL');
    if (store === 'external') {
      this.tasks.addEgressRule(Peer.anyIpv4(), Port.tcp(storePort), 'The store elsewhere');
    }
    const endpointGroup = this.group('Endpoints', 'Services of AWS by private addresses');
    this.allow(this.tasks, endpointGroup, 443, 'Services of AWS');
    for (const [id, service] of Object.entries(endpoints)) {
      const subnets = { subnetType: this.inside };
      const options = { service, subnets, securityGroups: [endpointGroup], open: false };
      this.vpc.addInterfaceEndpoint(id, options);
    }
    // Layers of images come from S3, by a gateway whose addresses change: rules cannot name them.
    // With `egress: none`, no other address has a route.
    const why = egress === 'nat' ? 'S3, and platforms elsewhere' : 'S3 by its gateway endpoint';
    this.tasks.addEgressRule(Peer.anyIpv4(), Port.tcp(443), why);
  }

  private keepFlows(): void {
    const logGroup = new LogGroup(this, 'Flows', {
      retention: RetentionDays.ONE_MONTH,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    this.vpc.addFlowLog('FlowLog', { destination: FlowLogDestination.toCloudWatchLogs(logGroup) });
  }
}
