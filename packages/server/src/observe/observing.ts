import { Counter, Registry as Metrics, type Registry } from 'prom-client';
import { joinObservers, type Observer } from '../lib/observer.ts';
import { createPlatformWatch, type PlatformWatch, type WatchParts } from './platform-watch.ts';
import { createRequestLines } from './request-lines.ts';
import { createRequestMetrics } from './request-metrics.ts';

export interface Observing {
  readonly observer: Observer;
  readonly metrics: Metrics;
  readonly watch: PlatformWatch;
  stop(): void;
}

/** Adds `observers` to the request log, the metrics and the platform watch. */
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
    log.error(
      { error: String(error) },
      'recording a request failed; its log lines or metrics might be missing',
    ),
  );
  return {
    ...{ observer, metrics, watch },
    stop() {
      watch.stop();
      requestLines.stop();
    },
  };
}

/** Input includes both cached kinds, output includes reasoning. */
const kinds = ['input', 'cached_input', 'cache_write_input', 'output', 'reasoning'] as const;

/**
 * Counts tokens reported by platforms, by app and model. Plain numbers become the library's only
 * when metrics are read: finding its series by labels takes ten times as long.
 */
export function createTokenCounts(registry: Registry): Pick<Observer, 'callSettled'> {
  const apps = new Map<string, Map<string, number[]>>();
  new Counter({
    name: 'model_gateway_tokens_total',
    help: 'Tokens reported by platforms: input (includes cached_input and cache_write_input) and output (includes reasoning)',
    labelNames: ['app', 'model', 'kind'] as const,
    registers: [registry],
    collect() {
      this.reset();
      for (const [app, models] of apps)
        for (const [model, sums] of models)
          for (const [index, kind] of kinds.entries())
            this.inc({ app, model, kind }, sums[index] ?? 0);
    },
  });
  return {
    callSettled({ app, modelLabel, tokens }) {
      if (tokens === undefined) return;
      const models = apps.get(app) ?? new Map<string, number[]>();
      apps.set(app, models);
      const sums = models.get(modelLabel) ?? kinds.map(() => 0);
      models.set(modelLabel, sums);
      const { inputTokens, cachedInputTokens, cacheWriteInputTokens } = tokens;
      const counts = [inputTokens, cachedInputTokens, cacheWriteInputTokens];
      counts.push(tokens.outputTokens, tokens.reasoningTokens);
      for (let index = 0; index < kinds.length; index++)
        sums[index] = (sums[index] ?? 0) + (counts[index] ?? 0);
    },
  };
}
