import { routes } from '@model-gateway/contract';
import type { CarryParts } from '../../../calls/model-operations/carry.ts';
import type { Quotes } from '../../../calls/quote.ts';
import type { Runs } from '../../../calls/runs/runs.ts';
import { type Catalog, givesEmbeddings } from '../../../catalog/catalog.ts';
import type { Schemas } from '../../../json-schema/schemas.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { Registry } from '../../../registry/registry.ts';
import type { Store } from '../../../store/port/port.ts';
import type {
  CallHandler,
  Dialect,
  Handler,
  OpenHandler,
  StreamHandler,
} from '../../exchange/dialect.ts';
import { isOffered } from '../../exchange/offered.ts';
import type { Route } from '../../exchange/route-table.ts';
import { createHeadersOfCarry } from './body/dropped-carry.ts';
import { createSizeOf } from './body/size.ts';
import { type RouteName, routeRows } from './route-rows.ts';
import { createAgentsRoute } from './routes/agents.ts';
import { createChatRoute } from './routes/chat.ts';
import { createCreditsRoute } from './routes/credits.ts';
import { createEmbeddingsRoute } from './routes/embeddings.ts';
import { createModelsRoute, type ModelsParts } from './routes/models.ts';
import { createObjectsRoute } from './routes/objects.ts';
import { createQuoteRoute } from './routes/quote.ts';
import { createRunRoutes } from './routes/runs.ts';
import { createUsageRoute } from './routes/usage.ts';

export type GatewayRouteParts = ModelsParts &
  CarryParts & {
    readonly store: Store;
    readonly clock: Clock;
    readonly schemas: Schemas;
    readonly catalog: Catalog;
    readonly version: string;
    readonly quotes: Quotes;
    readonly runs: Runs;
    readonly registry: Registry;
    readonly dialect: Dialect;
  };

export function createGatewayRoutes(parts: GatewayRouteParts): readonly Route[] {
  const sizeOf = createSizeOf();
  const shared = { sizeOf, headersOfCarry: createHeadersOfCarry(parts) };
  const chat = createChatRoute(shared);
  const objects = createObjectsRoute({ ...parts, ...shared });
  const agents = createAgentsRoute({ ...parts, ...shared });
  const embeddings = createEmbeddingsRoute({ sizeOf });
  const calls = { chat, objects, agents, embeddings };
  const handlers: Handlers = {
    root: open({ name: 'model-gateway', version: parts.version }),
    health: open({ status: 'ok' }, { status: 'draining' }),
    ...calls,
    quote: createQuoteRoute({ ...parts, calls, sizeOf }),
    ...createRunRoutes(parts.runs),
    usage: createUsageRoute(parts),
    models: createModelsRoute(parts),
    credits: createCreditsRoute(parts),
    chatStream: stream('chatStream', routes.chat.path, chat),
    objectsStream: stream('objectsStream', routes.objects.path, objects),
    agentsStream: stream('agentsStream', routes.agents.path, agents),
  };
  const { dialect } = parts;
  const offered = { hasEmbeddings: givesEmbeddings(parts.catalog) };
  return routeNames
    .filter((name) => isOffered(name, offered))
    .flatMap((name) => {
      const row = routeRows[name];
      const { method, path } = row;
      const label = row.kind === 'stream' ? row.label : name;
      const route: Route = { method, path, name: label, dialect, ...handlers[name] };
      // Monitors ask with HEAD. Node sends the head of the answer, and leaves its body out.
      return row.kind === 'open' ? [route, { ...route, method: 'HEAD' }] : [route];
    });
}

/** Ties each handler's kind to its row. */
type Handlers = {
  readonly [Name in RouteName]: Extract<Handler, { kind: (typeof routeRows)[Name]['kind'] }>;
};

const routeNames = Object.keys(routeRows).filter((name) => isRouteName(name));

function isRouteName(name: string): name is RouteName {
  return Object.hasOwn(routeRows, name);
}

/** `stopping`: the 503 body while the process stops. */
function open(body: object, stopping?: object): OpenHandler {
  const usual = { status: 200, body: JSON.stringify(body), headers: {} };
  const last = stopping && { status: 503, body: JSON.stringify(stopping), headers: {} };
  return { kind: 'open', answer: (isDraining) => (isDraining ? (last ?? usual) : usual) };
}

function stream(streamedName: RouteName, whole: string, { parse }: CallHandler): StreamHandler {
  const why = `Streaming is not available; use ${whole}, which answers at once, or ask the operator for \`streaming: true\`.`;
  return { kind: 'stream', parse, streamedName, why };
}
