import type { CatalogModel } from '../../catalog/catalog.ts';
import type { App } from '../../domain/registered-app.ts';
import { bindCommand, unboundSentence } from '../../domain/unbound-app.ts';
import type { ModelPort, Platform } from '../../platforms/model/port.ts';
import type { CircuitBreakers } from '../../platforms/outage/circuit-breakers.ts';
import { CallError } from '../model/call-error.ts';
import type { AdmittedModels } from '../model/candidate.ts';
import type { ModelRoute } from '../model/route.ts';

export interface Routing {
  /** Throws a CallError if the model cannot be called now. */
  routeOf(app: App, model: CatalogModel): ModelRoute;
  readonly unusable: CircuitBreakers['unusable'];
}

export function createRouting(parts: {
  readonly platforms: ReadonlyMap<string, Platform>;
  readonly circuitBreakers: CircuitBreakers;
}): Routing {
  const { platforms, circuitBreakers } = parts;
  // Nearly every call uses a model object of the catalog, and its port never changes.
  const ports = new WeakMap<CatalogModel, ModelPort>();
  return {
    unusable: circuitBreakers.unusable,
    routeOf(app, model) {
      const platform = platformOf(platforms, model);
      const projectId = projectOf(app, platform);
      return {
        projectId,
        canStream: () => platform.model(model).streams,
        wire: () => platform.model(model).wire,
        open() {
          const cached = ports.get(model);
          const port = cached ?? platform.model(model);
          if (cached === undefined) ports.set(model, port);
          return { port, breaker: circuitBreakers.modelOf(model) };
        },
      };
    },
  };
}

/** Undefined if any model may be called. Counts only models that never had a usable response. */
export function unusableForMs(
  { unusable }: Pick<Routing, 'unusable'>,
  routes: readonly ModelRoute[],
): number | undefined {
  let leastMs = Number.POSITIVE_INFINITY;
  for (const route of routes) {
    const { circuit } = route.open().breaker;
    if (!unusable.has(circuit) || !circuit.isRefusing()) return undefined;
    const entry = circuit.enter();
    if (entry.kind === 'refused') leastMs = Math.min(leastMs, entry.forMs);
  }
  return leastMs;
}

/** All candidates or none. Throws like `routeOf`. */
export function routesOf(
  routing: Routing,
  app: App,
  { candidates: [first, ...others] }: AdmittedModels,
): readonly [ModelRoute, ...ModelRoute[]] {
  return [
    routing.routeOf(app, first.model),
    ...others.map(({ model }) => routing.routeOf(app, model)),
  ];
}

function platformOf(platforms: ReadonlyMap<string, Platform>, model: CatalogModel): Platform {
  const platform = platforms.get(model.platform);
  const why = platform?.refusal?.(model);
  if (platform !== undefined && why === undefined) return platform;
  const message = `The model ${model.id} is not available now; try again later.`;
  const cause = why ?? `platform ${model.platform} is not in use; see the log of the startup`;
  throw new CallError('INTERNAL', message, { cause });
}

/** Never returns a shared project. */
function projectOf(app: App, { name, needsProject }: Platform): string | undefined {
  const projectId = app.projectIds.get(name);
  if (!needsProject || projectId !== undefined) return projectId;
  const cause = app.sharedProjects.get(name) ?? unboundSentence({ app: app.name, platform: name });
  const message = `The app ${app.name} does not have its own billing project on ${name}, so the call was not sent; ask the operator to run ${bindCommand(app.name, name)}.`;
  // Until an operator binds a project, a retry has the same result.
  throw new CallError('INTERNAL', message, { shouldRetry: false, cause });
}
