import {
  AggregatorRegistry,
  type MetricObjectWithValues,
  type MetricValueWithName,
  type Registry,
} from 'prom-client';

/** What one thread has counted, as the library tells it. */
export type MetricsOfThread = readonly MetricObjectWithValues<MetricValueWithName<string>>[];

/** For a metric that every thread would read alike: it is not added up. */
export const sameOnAll = { aggregator: 'first' } as const;

/** Of the process, whichever thread asks for them. */
const ofProcess = /^process_|^nodejs_version_info$/;
/** One that lags is not to be hidden by those that do not. */
const ofWorst = /^nodejs_eventloop_/;

/**
 * The metrics of all threads of a process as one registry: sums, but where a metric says otherwise
 * or is of the process as a whole, and is then what the first of them says.
 */
export async function mergeMetrics(all: readonly MetricsOfThread[]): Promise<Registry> {
  const parts = all.map((metrics) => metrics.map(howAdded));
  const merged = AggregatorRegistry.aggregate<Registry['contentType']>(parts);
  // The library adds values up and forgets by which trace they can be looked at.
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

/** Of each series with any, that of one thread: it is as good as another's. */
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
