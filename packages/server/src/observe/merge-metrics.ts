import {
  AggregatorRegistry,
  type MetricObjectWithValues,
  type MetricValueWithName,
  type Registry,
} from 'prom-client';

export type MetricsOfThread = readonly MetricObjectWithValues<MetricValueWithName<string>>[];

/** For a metric with the same value in every thread. */
export const sameOnAll = { aggregator: 'first' } as const;

const ofProcess = /^process_|^nodejs_version_info$/;
/** A lagging thread must not be hidden by the others. */
const ofWorst = /^nodejs_eventloop_/;

/**
 * Adds values up, unless the metric names another way. Process metrics have the first thread's
 * value.
 */
export async function mergeMetrics(all: readonly MetricsOfThread[]): Promise<Registry> {
  const parts = all.map((metrics) => metrics.map(howAdded));
  const merged = AggregatorRegistry.aggregate<Registry['contentType']>(parts);
  // The library drops exemplars when it adds values up.
  const exemplars = exemplarsOf(all);
  for (const { values } of await merged.getMetricsAsJSON())
    for (const value of values) {
      const exemplar = exemplars.get(seriesOf(value));
      if (exemplar !== undefined) Object.assign(value, { exemplar });
    }
  return merged;
}

function howAdded(metric: MetricsOfThread[number]) {
  if (ofProcess.test(metric.name)) return { ...metric, ...sameOnAll };
  return ofWorst.test(metric.name) ? { ...metric, aggregator: 'max' } : metric;
}

/** Any thread's exemplar will do for a series. */
function exemplarsOf(all: readonly MetricsOfThread[]): ReadonlyMap<string, unknown> {
  const values = all.flat().flatMap((metric) => metric.values);
  return new Map(
    values.flatMap((value): readonly (readonly [string, unknown])[] =>
      'exemplar' in value ? [[seriesOf(value), value.exemplar]] : [],
    ),
  );
}

function seriesOf(value: Partial<MetricValueWithName<string>>): string {
  return `${value.metricName} ${JSON.stringify(Object.entries(value.labels ?? {}).toSorted())}`;
}
