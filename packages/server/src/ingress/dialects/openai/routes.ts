import type { Route } from '../../route-table.ts';
import type { UsableModelsParts } from '../usable-models.ts';
import { createModelRoute, createModelsRoute } from './models.ts';
import { openai } from './openai.ts';
import { routeRows } from './route-rows.ts';

/** Every route of OpenAI's API that is spoken here. */
export function createOpenAiRoutes(parts: UsableModelsParts): readonly Route[] {
  const { models, model } = routeRows;
  return [
    { ...models, dialect: openai, ...createModelsRoute(parts) },
    { ...model, dialect: openai, ...createModelRoute(parts) },
  ];
}
