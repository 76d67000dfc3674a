import { CfnOutput, Duration } from 'aws-cdk-lib';
import {
  Alarm,
  ComparisonOperator,
  Dashboard,
  GraphWidget,
  type IMetric,
  MathExpression,
  Metric,
  Stats,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { FargateService } from 'aws-cdk-lib/aws-ecs';
import { HttpCodeTarget } from 'aws-cdk-lib/aws-elasticloadbalancingv2';
import { FilterPattern, type LogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { DatabaseCluster } from 'aws-cdk-lib/aws-rds';
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import type { Deployment } from '../deployment/properties.ts';
import type { Balancer } from './balancer.ts';
import type { Store } from './store.ts';

/** The watched parts. */
export interface WatchParts {
  readonly deployment: Deployment;
  readonly balancer: Balancer;
  readonly tasks: FargateService;
  readonly logGroup: LogGroup;
  readonly store: Store | undefined;
}

/** An alarm: it is raised when the metric is above (or below) its limit for so many minutes. */
interface Rule {
  readonly name: string;
  readonly says: string;
  readonly metric: IMetric;
  readonly above?: number;
  readonly below?: number;
  readonly minutes: number;
}

const minute = Duration.minutes(1);
const namespace = 'ModelGateway';

/** Alarms and a dashboard, for AWS' metrics and the service's own log. */
export class Watch extends Construct {
  private readonly topic: ITopic | undefined;

  constructor(scope: Construct, id: string, parts: WatchParts) {
    super(scope, id);
    const { alarmTopicArn } = parts.deployment;
    this.topic = alarmTopicArn ? Topic.fromTopicArn(this, 'Topic', alarmTopicArn) : undefined;
    const rules = [...this.ofCalls(parts), ...this.ofLog(parts), ...this.ofStore(parts)];
    for (const rule of rules) this.raise(rule);
    const name = `${parts.deployment.company}-model-gateway`;
    const dashboard = new Dashboard(this, 'Dashboard', { dashboardName: name });
    const widgets = rules.map(({ says, metric }) => {
      return new GraphWidget({ title: says, left: [metric], width: 12 });
    });
    dashboard.addWidgets(...widgets);
    new CfnOutput(this, 'DashboardName', { value: name });
  }

  private raise({ name, says, metric, above, below, minutes }: Rule): void {
    const isAbove = above !== undefined;
    const alarm = new Alarm(this, name, {
      metric,
      alarmDescription: says,
      threshold: above ?? below ?? 0,
      comparisonOperator: isAbove
        ? ComparisonOperator.GREATER_THAN_THRESHOLD
        : ComparisonOperator.LESS_THAN_THRESHOLD,
      evaluationPeriods: minutes,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
    if (this.topic !== undefined) alarm.addAlarmAction(new SnsAction(this.topic));
  }

  private ofCalls({ balancer: { balancer, targets }, tasks }: WatchParts): readonly Rule[] {
    const sum = { period: minute, statistic: Stats.SUM };
    const errors = targets.metrics.httpCodeTarget(HttpCodeTarget.TARGET_5XX_COUNT, sum);
    const unhealthy = { period: minute, statistic: Stats.MAXIMUM };
    const p99 = targets.metrics.targetResponseTime({ period: minute, statistic: Stats.p(99) });
    const own = balancer.metrics.custom('HTTPCode_ELB_5XX_Count', sum);
    return [
      {
        ...{ name: 'Unhealthy', says: 'Tasks that do not answer /health', minutes: 3, above: 0 },
        metric: targets.metrics.unhealthyHostCount(unhealthy),
      },
      {
        name: 'Errors',
        says: 'Answers of 5xx of the service',
        metric: errors,
        above: 10,
        minutes: 5,
      },
      {
        name: 'NoTarget',
        says: 'Answers of 5xx of the balancer',
        metric: own,
        above: 10,
        minutes: 5,
      },
      {
        name: 'Slow',
        says: 'The slowest hundredth, in seconds',
        metric: p99,
        above: 27,
        minutes: 5,
      },
      {
        ...{ name: 'Busy', says: 'Processor time of the tasks, in %', above: 85, minutes: 10 },
        metric: tasks.metricCpuUtilization({ period: minute }),
      },
    ];
  }

  /** The service logs a line for each request, with its code and whether its cost is estimated. */
  private ofLog({ logGroup }: WatchParts): readonly Rule[] {
    const count = (id: string, pattern: string, period = minute) => {
      const metricName = id;
      const filterPattern = FilterPattern.literal(pattern);
      const options = { logGroup, filterPattern, metricNamespace: namespace, metricName };
      new MetricFilter(this, `${id}Lines`, { ...options, metricValue: '1', defaultValue: 0 });
      return new Metric({ namespace, metricName, period, statistic: Stats.SUM });
    };
    const internal = count('Internal', '{ $.code = "INTERNAL" }');
    const period = Duration.minutes(15);
    const estimated = count('EstimatedCalls', '{ $.estimated IS TRUE }', period);
    const all = count('Calls', '{ $.callId = * }', period);
    const share = new MathExpression({
      // Of a few calls a single one would be a large part.
      expression: 'IF(all > 20, 100 * estimated / all, 0)',
      usingMetrics: { all, estimated },
      period,
      label: 'estimated',
    });
    return [
      {
        name: 'InternalErrors',
        says: 'Calls that end in INTERNAL',
        metric: internal,
        above: 5,
        minutes: 5,
      },
      {
        name: 'EstimatesGrow',
        says: 'Calls whose cost is estimated, in %',
        metric: share,
        above: 5,
        minutes: 1,
      },
    ];
  }

  private ofStore({ store }: WatchParts): readonly Rule[] {
    if (store === undefined) return [];
    const { database } = store;
    const isAurora = database instanceof DatabaseCluster;
    const free = isAurora ? 'FreeLocalStorage' : 'FreeStorageSpace';
    const commit = isAurora ? 'CommitLatency' : 'WriteLatency';
    const least = { period: minute, statistic: Stats.MINIMUM };
    const mean = { period: minute, statistic: Stats.AVERAGE };
    return [
      {
        ...{ name: 'StoreFull', says: 'Free storage of the database, in bytes' },
        ...{ metric: database.metric(free, least), below: 10 * 1024 ** 3, minutes: 5 },
      },
      {
        ...{ name: 'StoreBusy', says: 'Processor time of the database, in %' },
        ...{ metric: database.metric('CPUUtilization', mean), above: 80, minutes: 10 },
      },
      {
        // In milliseconds on Aurora, and in seconds elsewhere.
        ...{ name: 'StoreSlow', says: 'How long the database takes to write', minutes: 5 },
        ...{ metric: database.metric(commit, mean), above: isAurora ? 50 : 0.05 },
      },
    ];
  }
}
