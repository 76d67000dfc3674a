import type { Route } from '../../exchange/route-table.ts';
import type { RelayParts } from '../relay/parse-relay.ts';
import type { UsableModelsParts } from '../usable-models.ts';
import { type CompletionsParts, createCompletionsRoute } from './chat/completions.ts';
import { createDeploymentRoute } from './deployment.ts';
import { createEmbeddingsRoute } from './embeddings/embeddings.ts';
import { routeRows } from './format/route-rows.ts';
import { createModelRoute, createModelsRoute } from './models.ts';
import { openai } from './openai.ts';
import { createResponsesRoute, responses } from './responses.ts';

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
