import { Counter, type Registry } from 'prom-client';
import type { StallWatch } from './stall-watch.ts';

/** The use of the processor, as metrics show it. */
export interface ProcessorParts {
  /** Milliseconds that each app took, in this thread. */
  readonly spent: () => ReadonlyMap<string, number>;
  readonly stalls: Pick<StallWatch, 'counts'>;
}

/** Registers what apps take of the processor, and how often its event loop stalled. */
export function addProcessorMetrics(registry: Registry, { spent, stalls }: ProcessorParts): void {
  const registers = [registry];
  new Counter({
    name: 'model_gateway_app_processor_seconds_total',
    help: 'Processor time of the requests of each app: bodies, admission, requests, answers',
    labelNames: ['app'] as const,
    registers,
    collect() {
      this.reset();
      for (const [app, ms] of spent()) this.inc({ app }, ms / 1_000);
    },
  });
  new Counter({
    name: 'model_gateway_event_loop_stalls_total',
    help: 'How often the event loop handed out nothing for 200 ms, by what it was at',
    labelNames: ['stage'] as const,
    registers,
    collect() {
      this.reset();
      for (const [stage, { count }] of stalls.counts()) this.inc({ stage }, count);
    },
  });
  new Counter({
    name: 'model_gateway_event_loop_stall_seconds_total',
    help: 'How long these stalls were in all, by what the event loop was at',
    labelNames: ['stage'] as const,
    registers,
    collect() {
      this.reset();
      for (const [stage, { ms }] of stalls.counts()) this.inc({ stage }, ms / 1_000);
    },
  });
}
