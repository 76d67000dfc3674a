import { createEntrance } from '../ingress/access.ts';
import { createApi, type RouteTable } from '../ingress/dialects/gateway/api.ts';
import { createSizeOf } from '../ingress/dialects/gateway/body/size.ts';
import { createAgentsRoute } from '../ingress/dialects/gateway/routes/agents.ts';
import { createChatRoute } from '../ingress/dialects/gateway/routes/chat.ts';
import { createCreditsRoute } from '../ingress/dialects/gateway/routes/credits.ts';
import { createModelsRoute } from '../ingress/dialects/gateway/routes/models.ts';
import { createObjectsRoute } from '../ingress/dialects/gateway/routes/objects.ts';
import { createUsageRoute } from '../ingress/dialects/gateway/routes/usage.ts';
import {
  type ConnectionLimits,
  createConnectionLimits,
} from '../ingress/http/connection-limits.ts';
import { createEdge, type Edge } from '../ingress/ingress.ts';
import { createBodies } from '../ingress/limits/bodies.ts';
import { createGate, type Gate } from '../ingress/limits/concurrency.ts';
import { openPlans } from '../ingress/limits/rate/open-plans.ts';
import type { PlanLimiter } from '../ingress/limits/rate/plan-limiter.ts';
import type { CpuMsOf } from '../json-schema/cpu-limit.ts';
import { createSchemas, type Schemas } from '../json-schema/schemas.ts';
import type { Observing } from '../observe/observing.ts';
import type { Registry } from '../registry/registry.ts';
import type { Calls } from './calls.ts';
import type { Instance } from './instance.ts';
import type { Models } from './models.ts';

/** What stands between sockets and calls. */
export interface Front {
  readonly edge: Edge;
  readonly gate: Gate;
  readonly connections: ConnectionLimits;
  readonly schemas: Schemas;
  readonly limiter: PlanLimiter;
}

/** What a front leads to. */
export interface FrontParts {
  readonly registry: Registry;
  readonly models: Models;
  readonly calls: Calls;
  readonly observing: Pick<Observing, 'observer' | 'watch'>;
  /** How long a thread that checks schemas has worked. */
  readonly cpuMsOf: CpuMsOf | undefined;
}

/** Lets requests of the registry's keys in, as many as the limits and plans allow. */
export async function openFront(instance: Instance, parts: FrontParts): Promise<Front> {
  const { config, store, clock, ids, log, version } = instance;
  const { registry, calls, observing, cpuMsOf } = parts;
  const { limits, plans } = config;
  const schemas = createSchemas({ log, clock, cpuMsOf });
  const api = createApi({ registry, routes: routesTo(instance, parts, schemas) });
  const limiter = await openPlans({ store, clock, log });
  const gate = createGate({ limits, clock, drains: calls.infer.drains, registry });
  const bodies = createBodies({ clock, bytesMax: limits.bodyBytes });
  const entrance = createEntrance({ registry, gate, bodies, limiter, plans, limits });
  const edge = createEdge({
    api,
    entrance,
    bodies,
    limits,
    clock,
    ids,
    version,
    observer: observing.observer,
  });
  const connections = createConnectionLimits({ clock, log });
  return { edge, gate, connections, schemas, limiter };
}

function routesTo(
  { config: { unpriced }, store, clock }: Instance,
  { models: { catalog }, calls: { infer }, observing: { watch } }: FrontParts,
  schemas: Schemas,
): RouteTable {
  const sizeOf = createSizeOf();
  return {
    chat: createChatRoute({ infer, sizeOf }),
    objects: createObjectsRoute({ infer, schemas, sizeOf, catalog }),
    agents: createAgentsRoute({ infer, schemas, sizeOf }),
    usage: createUsageRoute({ store, clock }),
    models: createModelsRoute({ catalog, unpriced, isMissing: watch.isMissing }),
    credits: createCreditsRoute({ store, clock }),
  };
}
