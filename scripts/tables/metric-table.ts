import { Counter, Gauge, Registry } from 'prom-client';
import { deprecatedNames } from '../../packages/server/src/observe/deprecated-names.ts';
import { createMonitor } from '../../packages/server/src/observe/monitor.ts';
import { addNotifyMetrics } from '../../packages/server/src/observe/notify-metrics.ts';
import { createTokenCounts } from '../../packages/server/src/observe/observing.ts';
import { createRequestMetrics } from '../../packages/server/src/observe/request-metrics.ts';
import { addTraceMetrics } from '../../packages/server/src/observe/trace-metrics.ts';
import { withTable } from './with-table.ts';

/** The document with its current table of metrics, by name. */
export function withMetricTable(document: string): string {
  const deprecated = new Map(Object.entries(deprecatedNames).map(([was, name]) => [name, was]));
  const rows = registeredMetrics()
    .filter(
      ({ name }) => name.startsWith('model_gateway_') && !Object.hasOwn(deprecatedNames, name),
    )
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, type, labels, help }) => {
      const was = deprecated.get(name);
      const names = was === undefined ? `\`${name}\`` : `\`${name}\`, deprecated \`${was}\``;
      return [names, type, labels, help];
    });
  return withTable(document, 'metrics', ['metric', 'type', 'labels', 'meaning'], rows);
}

function registeredMetrics() {
  const metrics = new Registry();
  const parts = emptyParts({ metrics, thread: 2 });
  createRequestMetrics(metrics);
  createTokenCounts(metrics);
  addTraceMetrics(metrics, parts);
  addNotifyMetrics(metrics, parts, parts);
  createMonitor(parts).watchProcess();
  return metrics.getMetricsAsArray().map((metric) => {
    const { name, help } = metric;
    return { name, help, type: typeOf(metric), labels: labelsOf(metric) };
  });
}

function typeOf(metric: object): string {
  if (metric instanceof Counter) return 'counter';
  return metric instanceof Gauge ? 'gauge' : 'histogram';
}

/** The library's types lack them. */
function labelsOf(metric: object): string {
  const labels = 'labelNames' in metric ? metric.labelNames : undefined;
  return Array.isArray(labels) ? labels.join(', ') : '';
}

/** Empty parts of a service, enough to register its metrics: none is read before a scrape. */
function emptyParts(own: Readonly<Record<string | symbol, unknown>>) {
  const empty: () => unknown = new Proxy(() => empty, {
    get: (_target, name) => own[name] ?? empty,
  });
  return Object(empty);
}
