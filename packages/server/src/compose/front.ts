import type { Runs } from '../calls/runs/runs.ts';
import { type CatalogModel, givesEmbeddings } from '../catalog/catalog.ts';
import { isBearerRead } from '../domain/ingress.ts';
import type { App } from '../domain/registered-app.ts';
import { createAccess } from '../ingress/access.ts';
import { anthropic } from '../ingress/dialects/anthropic/anthropic.ts';
import { createAnthropicRoutes } from '../ingress/dialects/anthropic/routes.ts';
import { embeddingGateway, gateway } from '../ingress/dialects/gateway/gateway.ts';
import { createGatewayRoutes, type GatewayRouteParts } from '../ingress/dialects/gateway/routes.ts';
import { openai } from '../ingress/dialects/openai/openai.ts';
import { createOpenAiRoutes } from '../ingress/dialects/openai/routes.ts';
import { createDispatch } from '../ingress/dispatch.ts';
import { createRouteTable, type Mount, type RouteTable } from '../ingress/exchange/route-table.ts';
import {
  type ConnectionLimits,
  createConnectionLimits,
} from '../ingress/http/connection-limits.ts';
import { createIngress, type Ingress } from '../ingress/ingress.ts';
import { createBodies } from '../ingress/limits/bodies.ts';
import {
  type ConcurrencyLimiter,
  createConcurrencyLimiter,
} from '../ingress/limits/concurrency.ts';
import { createProcessorShares, type ProcessorShares } from '../ingress/limits/processor-shares.ts';
import { openPlans } from '../ingress/limits/rate/open-plans.ts';
import type { PlanLimiter } from '../ingress/limits/rate/plan-limiter.ts';
import { createShares } from '../ingress/limits/shares.ts';
import { createWorkTurns } from '../ingress/limits/work-turns.ts';
import { createStreams, type Streams } from '../ingress/stream/streams.ts';
import type { CpuMsOf } from '../json-schema/cpu-limit.ts';
import { createSchemas, type Schemas } from '../json-schema/schemas.ts';
import type { Processor } from '../lib/processor.ts';
import { createWork } from '../lib/work.ts';
import type { Observing } from '../observe/observing.ts';
import type { StallWatch } from '../observe/stall-watch.ts';
import type { Registry } from '../registry/registry.ts';
import type { Tracing } from '../tracing/tracing.ts';
import type { Calls } from './calls.ts';
import type { Instance } from './instance.ts';
import type { Models } from './models.ts';

export interface Front {
  readonly ingress: Ingress;
  readonly concurrency: ConcurrencyLimiter;
  readonly connections: ConnectionLimits;
  readonly schemas: Schemas;
  readonly limiter: PlanLimiter;
  readonly streams: Streams;
  /** Milliseconds of processor time per app, in this thread. */
  readonly spent: ProcessorShares['spent'];
}

export interface FrontParts {
  readonly registry: Registry;
  readonly runs: Runs;
  readonly models: Models;
  readonly calls: Calls;
  readonly observing: Pick<Observing, 'observer' | 'watch'>;
  readonly tracing: Pick<Tracing, 'begin'>;
  readonly cpuMsOf: CpuMsOf | undefined;
  readonly processor: Processor;
  readonly stalls: Pick<StallWatch, 'record'>;
}

export async function openFront(instance: Instance, parts: FrontParts): Promise<Front> {
  const { config, live, store, clock, ids, log, counts } = instance;
  const { registry, runs, calls, observing, tracing, cpuMsOf } = parts;
  const { limits } = config;
  const schemas = createSchemas({ log, clock, cpuMsOf, share: 1 / counts.threads });
  const limiter = await openPlans({ store, clock, log });
  const concurrency = createConcurrencyLimiter({
    limits,
    clock,
    detachedCalls: calls.runner.detached,
    ...{ registry, counts },
  });
  const slow = counts.slowBodies;
  const bodies = createBodies({ clock, bytesMax: limits.bodyBytes, slow });
  const { spending, work } = sharedProcessor(instance, parts);
  const access = createAccess({
    ...{ registry, runs, concurrency, bodies, limiter, limits },
    processor: spending,
  });
  const { observer } = observing;
  const isStreaming = (app: App) => app.streaming ?? config.streaming;
  const { runner } = calls;
  const { streams: counted, activeStreamApps: activeApps } = counts;
  const { enabledApps } = registry;
  const { inFlight: max } = limits.streams;
  const shares = createShares({ max, counted, activeApps, enabledApps, clock });
  const streams = createStreams({
    ...{ limits: limits.streams, clock, observer, runner, shares, counted },
  });
  const routes = routesTo(instance, parts, { schemas, isStreaming });
  const ingress = createIngress({
    live,
    routes,
    access,
    dispatch: createDispatch({
      ...{ access, bodies, work, runner, streams, limits, routes },
      isStreaming,
    }),
    limits,
    clock,
    ids,
    observer,
    tracing,
  });
  const connections = createConnectionLimits({ clock, log });
  return { ingress, concurrency, connections, schemas, limiter, streams, spent: spending.spent };
}

function sharedProcessor(
  { clock, counts: { times } }: Instance,
  { processor, stalls }: Pick<FrontParts, 'processor' | 'stalls'>,
) {
  const isWaiting = () => turns.isWaiting();
  const spending = createProcessorShares({ times, clock, processor, isWaiting });
  const turns = createWorkTurns({ processor, isShared: spending.isShared });
  const work = createWork(processor.nowMs, turns, (owner, stage, tookMs) => {
    spending.spend(owner.app, tookMs);
    stalls.record(owner, stage, tookMs);
  });
  return { spending, work };
}

function routesTo(
  { config: { unpriced, ingress }, store, clock, version }: Instance,
  { registry, runs, models: { catalog, platforms }, calls, observing: { watch } }: FrontParts,
  { schemas, isStreaming }: Pick<GatewayRouteParts, 'schemas' | 'isStreaming'>,
): RouteTable {
  const { isMissing } = watch;
  const portOf = (model: CatalogModel) => platforms.get(model.platform)?.model(model);
  const usable = { catalog, unpriced, isMissing, portOf };
  const plain = givesEmbeddings(catalog) ? embeddingGateway : gateway;
  const dialect = { ...plain, readsBearer: isBearerRead(ingress) };
  const own = createGatewayRoutes({
    ...usable,
    dialect,
    store,
    clock,
    schemas,
    quotes: calls.quotes,
    runs,
    registry,
    isStreaming,
    canStream: ({ id }) => {
      const { models = [catalog.model(id)] } = catalog.alias(id) ?? {};
      return models.every((model) => portOf(model)?.streams === true);
    },
    version,
  });
  // Below a disabled prefix, keys work as in a service without these APIs.
  const off = { dialect: plain, routes: [] };
  const mounts: readonly Mount[] = [
    {
      prefix: '/openai/',
      ...(ingress.openai
        ? { dialect: openai, routes: createOpenAiRoutes({ ...usable, ingress }) }
        : off),
    },
    {
      prefix: '/anthropic/',
      ...(ingress.anthropic
        ? { dialect: anthropic, routes: createAnthropicRoutes({ ...usable, ingress }) }
        : off),
    },
  ];
  return createRouteTable(own, dialect, mounts, ingress);
}
