import { embeddingsPath, headerNames, routes, streamingPaths } from '@model-gateway/contract';
import type { ApiNames } from '../../../calls/model/api-names.ts';
import { CallError } from '../../../calls/model/call-error.ts';
import type { Dialect } from '../../exchange/dialect.ts';
import { idempotencyKeyOf } from '../idempotency-key.ts';
import { routeListOf } from '../route-list.ts';
import { encode } from './encode.ts';
import { events } from './events.ts';
import { refuse } from './refuse.ts';

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

export const gateway: Dialect = {
  name: 'gateway',
  names,
  readsBearer: false,
  twoKeys: () =>
    new CallError(
      'BAD_REQUEST',
      `${headerNames.apiKey} and authorization contain different keys, or authorization has several lines; send one key.`,
    ),
  idempotencyKey: idempotencyKeyOf,
  encode,
  encodeReport: (report, status = 200) => ({ status, body: JSON.stringify(report), headers: {} }),
  stream: events,
  refuse,
  routeList: (isStreaming) => listWith(isStreaming, []),
};

export const embeddingGateway: Dialect = {
  ...gateway,
  routeList: (isStreaming) => listWith(isStreaming, [embeddingsPath]),
};

function listWith(isStreaming: boolean, more: readonly string[]): string {
  const posts = [...more, ...(isStreaming ? streamingPaths : [])];
  return routeListOf([...ownRoutes, ...posts.map((path) => ({ method: 'POST', path }))]);
}

const ownRoutes = Object.values(routes).filter(({ path }) => path.startsWith('/v1/'));
