import { embeddingsPath, headerNames } from '@model-gateway/contract';
import type { Dialect } from '../dialect.ts';
import { encode } from './encode.ts';
import { events } from './events.ts';
import { idempotencyKeyOf } from './idempotency-key.ts';
import { names } from './names.ts';
import { noRoute } from './no-route.ts';
import { refuse } from './refuse.ts';

/** The gateway's own API under `/v1`. */
export const gateway: Dialect = {
  name: 'gateway',
  names,
  credential: ({ header }) => header(headerNames.apiKey),
  idempotencyKey: idempotencyKeyOf,
  encode,
  encodeReport: (report, status = 200) => ({ status, body: JSON.stringify(report), headers: {} }),
  stream: events,
  refuse,
  noRoute,
};

/** The same of a service that gives embeddings: its 404 names that route as well. */
export const embeddingGateway: Dialect = {
  ...gateway,
  noRoute: (method, path, isStreaming) => noRoute(method, path, isStreaming, [embeddingsPath]),
};
