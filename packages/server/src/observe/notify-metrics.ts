import { Counter, Gauge, type Registry } from 'prom-client';
import type { Clock } from '../lib/clock.ts';

export interface Notifying {
  /** Of this process, by hook and outcome. */
  attempts(): ReadonlyMap<string, Readonly<Record<string, number>>>;
  /** By hook; empty on processes that do not deliver. */
  waiting(): readonly {
    readonly hook: string;
    readonly waiting: number;
    readonly oldestAt: number;
  }[];
}

export function addNotifyMetrics(registry: Registry, notifying: Notifying, clock: Clock): void {
  const registers = [registry];
  new Counter({
    name: 'model_gateway_webhook_deliveries_total',
    help: 'Attempts for a webhook: delivered, failed (retried) or dead (abandoned)',
    labelNames: ['hook', 'outcome'] as const,
    registers,
    collect() {
      this.reset();
      for (const [hook, counts] of notifying.attempts()) {
        for (const [outcome, count] of Object.entries(counts)) this.inc({ hook, outcome }, count);
      }
    },
  });
  const gauge = (name: string, help: string, read: (row: WaitingRow) => number) =>
    new Gauge({
      ...{ name, help, registers, labelNames: ['hook'] as const },
      collect() {
        this.reset();
        for (const webhook of notifying.attempts().keys()) this.set({ hook: webhook }, 0);
        for (const row of notifying.waiting()) this.set({ hook: row.hook }, read(row));
      },
    });
  gauge(
    'model_gateway_webhook_waiting',
    'Waiting events of a webhook; 0 on replicas that do not deliver',
    ({ waiting }) => waiting,
  );
  gauge(
    'model_gateway_webhook_oldest_seconds',
    'Age of the oldest waiting event of a webhook',
    ({ oldestAt }) => Math.max(0, (clock.now() - oldestAt) / 1_000),
  );
}

type WaitingRow = ReturnType<Notifying['waiting']>[number];
