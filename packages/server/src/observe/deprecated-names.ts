import { Counter, Gauge, type GaugeConfiguration, type Registry } from 'prom-client';

/** Old to new; both are exported until version 0.3.0. */
export const deprecatedNames: Readonly<Record<string, string>> = {
  model_gateway_places: 'model_gateway_permits',
  model_gateway_drains: 'model_gateway_detached_calls',
  model_gateway_drained_calls_total: 'model_gateway_detached_calls_total',
  model_gateway_apps_unlike_file: 'model_gateway_apps_config_drift',
  model_gateway_report_sums_age_seconds: 'model_gateway_rollup_age_seconds',
  model_gateway_plan_headroom: 'model_gateway_quota_remaining_ratio',
  model_gateway_budget_scope_would_refuse: 'model_gateway_budget_scope_would_reject',
  model_gateway_budget_scope_would_refuse_usd: 'model_gateway_budget_scope_would_reject_usd',
};

/** The label names of all metrics above. */
const labelNames = ['basis', 'app', 'role', 'scope', 'span'] as const;

/** Users' dashboards still query the old names. Call after the new metrics are registered. */
export function addDeprecatedNames(registry: Registry): void {
  const metrics = new Map(registry.getMetricsAsArray().map((metric) => [metric.name, metric]));
  for (const [was, name] of Object.entries(deprecatedNames)) {
    const aggregator = metrics.get(name)?.aggregator;
    addAlias(registry, name, { name: was, ...(aggregator !== undefined && { aggregator }) });
  }
}

function addAlias(
  registry: Registry,
  name: string,
  alias: Pick<GaugeConfiguration<string>, 'name' | 'aggregator'>,
): void {
  const metric = registry.getSingleMetric(name);
  if (!(metric instanceof Gauge || metric instanceof Counter)) throw new Error(`no metric ${name}`);
  const values = async () => (await metric.get()).values;
  const help = `Deprecated, use ${name}`;
  const options = { ...alias, help, labelNames, registers: [registry] };
  if (metric instanceof Counter) {
    new Counter({
      ...options,
      async collect() {
        const copied = await values();
        this.reset();
        for (const { labels, value } of copied) this.inc(labels, value);
      },
    });
    return;
  }
  new Gauge({
    ...options,
    async collect() {
      const copied = await values();
      this.reset();
      for (const { labels, value } of copied) this.set(labels, value);
    },
  });
}
