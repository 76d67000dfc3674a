import { Counter, Gauge, type Registry } from 'prom-client';

/** Old to new; both are exported until version 0.3.0. */
export const formerNames: Readonly<Record<string, string>> = {
  model_gateway_places: 'model_gateway_permits',
  model_gateway_drains: 'model_gateway_detached_calls',
  model_gateway_drained_calls_total: 'model_gateway_detached_calls_total',
};

/** Users' dashboards still ask for them. */
export function addFormerNames(registry: Registry): void {
  for (const [former, name] of Object.entries(formerNames)) addFormerName(registry, former, name);
}

function addFormerName(registry: Registry, former: string, name: string): void {
  const metric = registry.getSingleMetric(name);
  if (!(metric instanceof Gauge || metric instanceof Counter)) throw new Error(`no metric ${name}`);
  const values = async () => (await metric.get()).values;
  const labelNames = ['basis'] as const;
  const options = { name: former, help: `Deprecated: ${name}`, labelNames, registers: [registry] };
  if (metric instanceof Counter) {
    new Counter({
      ...options,
      async collect() {
        this.reset();
        for (const { labels, value } of await values()) this.inc(labels, value);
      },
    });
    return;
  }
  new Gauge({
    ...options,
    async collect() {
      for (const { labels, value } of await values()) this.set(labels, value);
    },
  });
}
