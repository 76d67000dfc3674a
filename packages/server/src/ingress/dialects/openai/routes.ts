import { CallError } from '../../../calls/model/call-error.ts';
import type { CatalogModel } from '../../../catalog/catalog.ts';
import { editJson } from '../../../lib/json-text.ts';
import { isRecord, parseJson } from '../../../lib/json-value.ts';
import type {
  CallHandler,
  Dialect,
  JsonBody,
  ReportHandler,
  RequestHead,
} from '../../exchange/dialect.ts';
import type { Route } from '../../exchange/route-table.ts';
import { pathParameter } from '../path-parameter.ts';
import { createRelayRoute, type RelayParts } from '../relay/parse-relay.ts';
import { encodeRelayed, relayedEvents } from '../relay/relayed-events.ts';
import { type UsableModelsParts, usableModels } from '../usable-models.ts';
import { type CompletionsParts, createCompletionsRoute } from './chat/completions.ts';
import { createEmbeddingsRoute } from './embeddings/embeddings.ts';
import { responsesNames } from './format/names.ts';
import { refuse } from './format/refuse.ts';
import { routeRows } from './format/route-rows.ts';
import { openai } from './openai.ts';
import { responseShape } from './response-shape.ts';

export type OpenAiRouteParts = UsableModelsParts & CompletionsParts & RelayParts;

export function createOpenAiRoutes(parts: OpenAiRouteParts): readonly Route[] {
  const { completions, responses: relayed, embeddings, models, model } = routeRows;
  const { deployedChat, deployedEmbeddings } = routeRows;
  const chatRoute = createCompletionsRoute(parts);
  const embeddingsRoute = createEmbeddingsRoute(parts);
  return [
    { ...completions, dialect: openai, ...chatRoute },
    { ...embeddings, dialect: openai, ...embeddingsRoute },
    { ...deployedChat, dialect: openai, ...createDeploymentRoute(chatRoute) },
    { ...deployedEmbeddings, dialect: openai, ...createDeploymentRoute(embeddingsRoute) },
    { ...relayed, dialect: responses, ...createResponsesRoute(parts) },
    { ...models, dialect: openai, ...createModelsRoute(parts) },
    { ...model, dialect: openai, ...createModelRoute(parts) },
  ];
}

/** On Azure's paths the deployment overrides the body's model. */
function createDeploymentRoute({ parse }: CallHandler): CallHandler {
  return {
    kind: 'call',
    parse: (body, context, head) => parse(withDeployment(body, head), context, head),
  };
}

function withDeployment(body: JsonBody, { path }: RequestHead): JsonBody {
  if (!isRecord(parseJson(body.text)?.value)) return body;
  const model = pathParameter(/^\/openai\/deployments\/([^/]+)\//.exec(path)?.[1]);
  const json = JSON.stringify(model);
  const text = editJson(body.text, [{ path: ['model'], json, isAdded: true }]);
  return { text, bytes: Buffer.byteLength(text) };
}

function createModelsRoute(parts: UsableModelsParts): ReportHandler {
  return {
    kind: 'report',
    isForRun: () => true,
    report: async (app) => ({ object: 'list', data: usableModels(app, parts).map(entryOf) }),
  };
}

function createModelRoute(parts: UsableModelsParts): ReportHandler {
  return {
    kind: 'report',
    isForRun: () => true,
    async report(app, parameters) {
      const id = pathParameter(parameters[0]);
      const match = usableModels(app, parts).find((model) => model.id === id);
      if (match !== undefined) return entryOf(match);
      const message = `The model ${id} does not exist or is not allowed for the app ${app.name}; use a model from GET /openai/v1/models.`;
      throw new CallError('NOT_FOUND', message, { model: id, param: 'model' });
    },
  };
}

function entryOf({ id }: CatalogModel) {
  return { id, object: 'model', created: 0, owned_by: 'model-gateway' };
}

const responses: Dialect = {
  ...openai,
  name: 'openai-responses',
  names: responsesNames,
  encode: (result, request) =>
    result.kind === 'failed' ? refuse(result.error, request) : encodeRelayed(result),
  stream: relayedEvents(errorEvent),
};

function createResponsesRoute(parts: RelayParts) {
  return createRelayRoute(parts, {
    ...{ operation: 'responses', shape: responseShape, limit: 'max_output_tokens' },
    userFields: ['user', 'safety_identifier'],
    schemaIn: ({ text }) => (isRecord(text) ? text.format : undefined),
    headersOf: () => ({ headersFor: () => ({}), dropped: [] }),
  });
}

function errorEvent(error: CallError): string {
  const { error: payload } = JSON.parse(refuse(error).body);
  const { code, message, param } = payload;
  const data = JSON.stringify({ type: 'error', code, message, param, error: payload });
  return `event: error\ndata: ${data}\n\n`;
}
