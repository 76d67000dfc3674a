import type { MetricObjectWithValues, MetricValueWithName, Registry } from 'prom-client';

const openMetrics = 'application/openmetrics-text';

export const openMetricsType = `${openMetrics}; version=1.0.0; charset=utf-8`;

export function takesOpenMetrics(accept: string | undefined): boolean {
  return accept?.toLowerCase().includes(openMetrics) === true;
}

/**
 * Includes exemplars. The library's own writer renames counters permanently. Source: OpenMetrics
 * 1.0.0, "text format".
 */
export async function openMetricsText(registry: Registry): Promise<string> {
  const all = await registry.getMetricsAsJSON();
  return `${all.flatMap(linesOf).join('\n')}\n# EOF\n`;
}

function linesOf(metric: MetricObjectWithValues<MetricValueWithName<string>>): readonly string[] {
  const { help } = metric;
  const type = String(metric.type);
  // A counter's name is its samples' name without the suffix.
  const name = type === 'counter' ? metric.name.replace(/_total$/, '') : metric.name;
  const samples = metric.values.map(({ metricName = metric.name, labels, value, ...more }) => {
    const sample = `${metricName}${labelsText(labels)} ${numberText(value)}`;
    const exemplar = 'exemplar' in more ? exemplarText(more.exemplar) : '';
    return `${sample}${exemplar}`;
  });
  return [`# HELP ${name} ${escaped(help)}`, `# TYPE ${name} ${type}`, ...samples];
}

function exemplarText(exemplar: unknown): string {
  const { labelSet, value } = Object(exemplar);
  return labelSet === undefined ? '' : ` # ${labelsText(labelSet)} ${numberText(value)}`;
}

function labelsText(labels: Readonly<Record<string, unknown>>): string {
  const parts = Object.entries(labels).map(
    ([name, value]) => `${name}="${escaped(String(value))}"`,
  );
  return parts.length === 0 ? '' : `{${parts.join(',')}}`;
}

function numberText(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  return Number.isFinite(value) ? String(value) : `${value > 0 ? '+' : '-'}Inf`;
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"');
}
