import { embeddingsPath, routes } from '@model-gateway/contract';
import type { ApiNames } from '../../../calls/model/api-names.ts';

/** Non-streaming routes; other formats' operations have none here. */
const whole = {
  ...{ chat: routes.chat.path, objects: routes.objects.path, agents: routes.agents.path },
  ...{ embeddings: embeddingsPath, messages: undefined, responses: undefined },
} as const;

export const names: ApiNames = {
  models: `${routes.models.method} ${routes.models.path}`,
  embeddings: `POST ${embeddingsPath}`,
  user: 'userId',
  fields: {
    ...{ messages: ['messages', 'input'], maxTokens: ['maxTokens'], schema: ['schema'] },
    ...{ tools: ['tools'], toolChoice: ['toolChoice'], stop: ['stop'], topP: ['topP'] },
  },
  toolSchema: 'inputSchema',
  withoutStream: (operation) => `use POST ${whole[operation] ?? routes.chat.path}`,
};
