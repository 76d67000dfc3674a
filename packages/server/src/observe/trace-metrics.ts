import { Counter, type Registry } from 'prom-client';

export function addTraceMetrics(
  registry: Registry,
  counts: () => { readonly exported: number; readonly dropped: number },
): void {
  const counter = (name: string, help: string, read: () => number) =>
    new Counter({
      ...{ name, help, registers: [registry] },
      collect() {
        this.reset();
        this.inc(read());
      },
    });
  counter('model_gateway_spans_total', 'Spans accepted by the collector', () => counts().exported);
  counter(
    'model_gateway_spans_dropped_total',
    'Spans dropped, because the collector was unavailable or too slow',
    () => counts().dropped,
  );
}
