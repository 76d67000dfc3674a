import { routes } from '@model-gateway/contract';
import { CallError } from '../../../calls/model/call-error.ts';
import type { CarryParts } from '../../../calls/model-operations/carry.ts';
import { chat } from '../../../calls/model-operations/chat.ts';
import { embeddings, textCountOf } from '../../../calls/model-operations/embeddings.ts';
import type { Quotes } from '../../../calls/quote.ts';
import type { Runs } from '../../../calls/runs/runs.ts';
import { type Catalog, type CatalogModel, givesEmbeddings } from '../../../catalog/catalog.ts';
import { toModelEntry } from '../../../catalog/model-entry.ts';
import { type App, creditsIn } from '../../../domain/registered-app.ts';
import type { Run } from '../../../domain/run.ts';
import type { Schemas } from '../../../json-schema/schemas.ts';
import { creditsReport } from '../../../ledger/credits-report.ts';
import { scopesReport } from '../../../ledger/scopes-report.ts';
import { usageReport } from '../../../ledger/usage-report.ts';
import { type Clock, utcDayOf, utcMonthOf } from '../../../lib/clock.ts';
import type { Registry } from '../../../registry/registry.ts';
import { isUserId, userIdRule } from '../../../registry/user-id.ts';
import type { Store } from '../../../store/port/port.ts';
import { createParser } from '../../body/parse.ts';
import type {
  CallHandler,
  Dialect,
  Handler,
  OpenHandler,
  ReportHandler,
  StreamHandler,
} from '../../exchange/dialect.ts';
import { isOffered } from '../../exchange/offered.ts';
import type { Route } from '../../exchange/route-table.ts';
import { pathParameter } from '../path-parameter.ts';
import { type UsableModelsParts, usableModels } from '../usable-models.ts';
import { checkConversation } from './body/conversation.ts';
import { createHeadersOfCarry, type HeadersOfCarry } from './body/dropped-carry.ts';
import { chatBody, embeddingsBody } from './body/schemas.ts';
import { createSizeOf, type SizeOf } from './body/size.ts';
import { type RouteName, routeRows } from './route-rows.ts';
import { createAgentsRoute } from './routes/agents.ts';
import { createObjectsRoute } from './routes/objects.ts';
import { createQuoteRoute } from './routes/quote.ts';
import { createRunRoutes } from './routes/runs.ts';

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
      // Monitors send HEAD. Node sends the response's head, and omits its body.
      return row.kind === 'open' ? [route, { ...route, method: 'HEAD' }] : [route];
    });
}

type Handlers = {
  readonly [Name in RouteName]: Extract<Handler, { kind: (typeof routeRows)[Name]['kind'] }>;
};

const routeNames = Object.keys(routeRows).filter((name) => isRouteName(name));

function isRouteName(name: string): name is RouteName {
  return Object.hasOwn(routeRows, name);
}

function open(body: object, stopping?: object): OpenHandler {
  const usual = { status: 200, body: JSON.stringify(body), headers: {} };
  const last = stopping && { status: 503, body: JSON.stringify(stopping), headers: {} };
  return { kind: 'open', answer: (isDraining) => (isDraining ? (last ?? usual) : usual) };
}

function stream(streamedName: RouteName, whole: string, { parse }: CallHandler): StreamHandler {
  const why = `Streaming is off for this app; use ${whole}, or ask the operator for \`streaming: true\`.`;
  return { kind: 'stream', parse, streamedName, why };
}

export function createChatRoute({
  sizeOf,
  headersOfCarry,
}: {
  readonly sizeOf: SizeOf;
  readonly headersOfCarry: HeadersOfCarry;
}): CallHandler {
  const parse = createParser(chatBody);
  return {
    kind: 'call',
    parse({ text, bytes }, { log }) {
      const request = parse(text);
      log.model = request.model;
      const hasCarry = checkConversation(request.messages);
      const { messages, maxTokens } = request;
      const extras = { schemaText: undefined, hasTools: false };
      const size = sizeOf({ ...extras, text, bodyBytes: bytes, messages, maxTokens });
      const headers = hasCarry ? { headersOf: headersOfCarry(request) } : {};
      return { kind: 'call', operation: chat, request, size, ...headers };
    },
  };
}

function createCreditsRoute({ store, clock }: { store: Store; clock: Clock }): ReportHandler {
  return { kind: 'report', report, isForRun };

  function isForRun({ userId }: Run, parameters: readonly string[]) {
    return userId !== undefined && pathParameter(parameters[0]) === userId;
  }

  async function report(app: App, parameters: readonly string[]) {
    const userId = pathParameter(parameters[0]);
    const nowMs = clock.now();
    const credits = creditsIn(app, utcMonthOf(nowMs));
    if (credits === undefined) {
      throw new CallError(
        'CREDITS_NOT_ENABLED',
        `The app ${app.name} does not meter credits, so its users have no wallets.`,
      );
    }
    if (!isUserId(userId)) throw new CallError('INVALID', `The userId in the path ${userIdRule}.`);
    return creditsReport(store, { app: app.name, userId, credits }, nowMs);
  }
}

function createEmbeddingsRoute({ sizeOf }: { readonly sizeOf: SizeOf }): CallHandler {
  const parse = createParser(embeddingsBody);
  return {
    kind: 'call',
    parse({ text, bytes }, { log }) {
      const request = parse(text);
      log.model = request.model;
      // Embeddings have only text input, and no output tokens.
      const shape = { text, bodyBytes: bytes, messages: [], maxTokens: 0 };
      const size = sizeOf({ ...shape, schemaText: undefined, hasTools: false });
      const texts = textCountOf(request);
      return { kind: 'call', operation: embeddings, request, size: { ...size, texts } };
    },
  };
}

type ModelsParts = UsableModelsParts & {
  readonly isStreaming: (app: App) => boolean;
  readonly canStream: (model: CatalogModel) => boolean;
};

function createModelsRoute(parts: ModelsParts): ReportHandler {
  return {
    kind: 'report',
    isForRun: () => true,
    async report(app) {
      const isStreaming = parts.isStreaming(app);
      const entryOf = (model: CatalogModel) =>
        toModelEntry(model, isStreaming ? parts.canStream(model) : undefined);
      return { models: usableModels(app, parts).map(entryOf) };
    },
  };
}

/** Reports the current UTC day. */
function createUsageRoute(parts: {
  readonly store: Store;
  readonly clock: Clock;
  readonly registry: Registry;
}): ReportHandler {
  const { store, clock } = parts;
  return {
    kind: 'report',
    async report(app) {
      const today = utcDayOf(clock.now());
      const reported = { day: today, today };
      const [usage, scopes] = await Promise.all([
        usageReport(store, app, reported),
        scopesReport(parts, app.name, reported),
      ]);
      return scopes.length === 0 ? usage : { ...usage, scopes };
    },
  };
}
