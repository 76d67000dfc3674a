import {
  CfnOutput,
  CfnParameter,
  Duration,
  Fn,
  RemovalPolicy,
  Stack,
  type StackProps,
} from 'aws-cdk-lib';
import {
  AvailabilityZoneRebalancing,
  Cluster,
  ContainerInsights,
  FargateService,
} from 'aws-cdk-lib/aws-ecs';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Deployment } from './deployment/properties.ts';
import { Balancer } from './gateway/balancer.ts';
import { Network } from './gateway/network.ts';
import { callsOnMantle, sessions, shortTermKeys } from './gateway/permissions.ts';
import { RestFront } from './gateway/rest-front.ts';
import { Store } from './gateway/store.ts';
import { Task, type TaskParts } from './gateway/task.ts';
import { Watch } from './gateway/watch.ts';
import { projectParameter } from './projects-stack.ts';
import { timesOf } from './times.ts';

/** The number of requests a minute to a task before another one is started: 100 a second. */
const requestsPerTarget = 6_000;
const processorPercent = 60;

/** Everything but the projects: this stack can be created again at any time. */
export class GatewayStack extends Stack {
  constructor(scope: Construct, id: string, deployment: Deployment, props: StackProps) {
    super(scope, id, props);
    const times = timesOf(deployment);
    const network = new Network(this, 'Network', deployment);
    const store =
      deployment.store === 'external' ? undefined : new Store(this, 'Store', deployment, network);
    const cluster = new Cluster(this, 'Cluster', {
      vpc: network.vpc,
      containerInsightsV2: ContainerInsights.ENABLED,
    });
    const logGroup = new LogGroup(this, 'Log', {
      retention: RetentionDays.ONE_MONTH,
      removalPolicy: RemovalPolicy.RETAIN,
    });
    const projects = this.projects(deployment);
    const parts = { deployment, times, cluster, logGroup, store, projects };
    const tasks = this.service(parts, network);
    const balancer = new Balancer(this, 'Front', { deployment, times, network, tasks });
    this.scale(tasks, balancer, deployment);
    if (deployment.front === 'rest-api') {
      const { api } = new RestFront(this, 'RestFront', { deployment, network, balancer });
      new CfnOutput(this, 'ApiUrl', { value: api.url });
    }
    new Watch(this, 'Watch', { deployment, balancer, tasks, logGroup, store });
    this.operator(parts, network);
    new CfnOutput(this, 'BalancerName', { value: balancer.balancer.loadBalancerDnsName });
    new CfnOutput(this, 'ClusterName', { value: cluster.clusterName });
    new CfnOutput(this, 'ServiceName', { value: tasks.serviceName });
    new CfnOutput(this, 'StoreSecurityGroup', { value: network.store.securityGroupId });
  }

  /** Two zones of the region; the account chooses them, and nothing is read from it here. */
  override get availabilityZones(): string[] {
    const zones = Fn.getAzs();
    return [Fn.select(0, zones), Fn.select(1, zones)];
  }

  /** The ids of the apps' projects; ids of the other stack are read when this stack is deployed. */
  private projects({ apps, company }: Deployment): ReadonlyMap<string, string> {
    const scope = new Construct(this, 'Projects');
    const made = apps.filter(({ project }) => project === 'own');
    return new Map(
      made.map(({ name }) => {
        const parameter = new CfnParameter(scope, name, {
          type: 'AWS::SSM::Parameter::Value<String>',
          default: projectParameter(company, name),
        });
        return [name, parameter.valueAsString];
      }),
    );
  }

  private service(parts: TaskParts, network: Network): FargateService {
    const { deployment, cluster, projects } = parts;
    const task = new Task(this, 'Task', parts, false);
    const given = deployment.apps.map(({ project }) => project).filter(isId);
    const ids = [...projects.values(), ...given];
    task.definition.addToTaskRolePolicy(callsOnMantle(this, ids));
    task.definition.addToTaskRolePolicy(shortTermKeys());
    const service = new FargateService(this, 'Service', {
      cluster,
      taskDefinition: task.definition,
      desiredCount: deployment.tasks.min,
      minHealthyPercent: 100,
      maxHealthyPercent: 200,
      circuitBreaker: { rollback: true },
      availabilityZoneRebalancing: AvailabilityZoneRebalancing.ENABLED,
      healthCheckGracePeriod: Duration.seconds(60),
      assignPublicIp: false,
      vpcSubnets: { subnetType: network.inside },
      securityGroups: [network.tasks],
    });
    // Without endpoints a first task has no image and no secret, and the deployment would be rolled
    // back.
    service.node.addDependency(network);
    return service;
  }

  private scale(tasks: FargateService, { targets }: Balancer, { tasks: bounds }: Deployment): void {
    const scaling = tasks.autoScaleTaskCount({ minCapacity: bounds.min, maxCapacity: bounds.max });
    const targetGroup = targets;
    scaling.scaleOnRequestCount('Requests', { requestsPerTarget, targetGroup });
    scaling.scaleOnCpuUtilization('Processor', { targetUtilizationPercent: processorPercent });
  }

  /**
   * A task that is started by hand for an operator's commands and the console, and calls no model.
   * A session in it replaces a login with AWS.
   */
  private operator(parts: TaskParts, network: Network): void {
    const task = new Task(this, 'Operator', parts, true);
    task.definition.addToTaskRolePolicy(sessions());
    const { subnetIds } = network.vpc.selectSubnets({ subnetType: network.inside });
    new CfnOutput(this, 'OperatorTask', { value: task.definition.family });
    new CfnOutput(this, 'OperatorSubnet', { value: subnetIds[0] ?? '' });
    new CfnOutput(this, 'OperatorSecurityGroup', { value: network.tasks.securityGroupId });
  }
}

function isId(project: string): boolean {
  return project.startsWith('proj_');
}
