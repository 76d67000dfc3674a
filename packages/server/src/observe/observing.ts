import { Registry as Metrics } from 'prom-client';
import { joinObservers, type Observer } from '../lib/observer.ts';
import { createPlatformWatch, type PlatformWatch, type WatchParts } from './platform-watch.ts';
import { createRequestLines } from './request-lines.ts';
import { createRequestMetrics } from './request-metrics.ts';
import { createTokenCounts } from './token-metrics.ts';

/** All that is told what happens to requests and calls. */
export interface Observing {
  /** For the parts in which it happens. */
  readonly observer: Observer;
  readonly metrics: Metrics;
  readonly watch: PlatformWatch;
  stop(): void;
}

/** The request log, the metrics, the watch over the platforms; a further observer is one more. */
export function startObserving(
  parts: WatchParts & { readonly instanceId: string; readonly observers?: readonly Observer[] },
): Observing {
  const { log } = parts;
  const metrics = new Metrics();
  const watch = createPlatformWatch(parts);
  const requestLines = createRequestLines(parts);
  const observers = [
    requestLines,
    createRequestMetrics(metrics),
    createTokenCounts(metrics),
    watch,
    ...(parts.observers ?? []),
  ];
  const observer = joinObservers(observers, (error) =>
    log.error({ error: String(error) }, 'an observer of requests and calls failed'),
  );
  return {
    ...{ observer, metrics, watch },
    stop() {
      watch.stop();
      requestLines.stop();
    },
  };
}
