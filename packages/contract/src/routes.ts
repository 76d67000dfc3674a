/** Every route of the service. Source: specification, section 4. */
export const routes = {
  root: { method: 'GET', path: '/' },
  health: { method: 'GET', path: '/health' },
  usage: { method: 'GET', path: '/v1/usage' },
  models: { method: 'GET', path: '/v1/models' },
  credits: { method: 'GET', path: '/v1/credits/:userId' },
  chat: { method: 'POST', path: '/v1/chat' },
  objects: { method: 'POST', path: '/v1/objects' },
  agents: { method: 'POST', path: '/v1/agents/run' },
  quote: { method: 'POST', path: '/v1/quote' },
  createRun: { method: 'POST', path: '/v1/runs' },
  showRun: { method: 'GET', path: '/v1/runs/:runId' },
  endRun: { method: 'DELETE', path: '/v1/runs/:runId' },
} as const;

/** Routes that respond to any method with 501 NOT_IMPLEMENTED. */
export const streamingPaths = [
  '/v1/chat/stream',
  '/v1/objects/stream',
  '/v1/agents/stream',
] as const;

/** The route of embeddings; it exists only where the service has an embedding model. */
export const embeddingsPath = '/v1/embeddings';

/** The operations that call a model, as `GET /v1/models` names them. */
export type Operation = 'chat' | 'objects' | 'agents' | 'embeddings';

/** Names of the headers that the service reads or writes. */
export const headerNames = {
  apiKey: 'x-api-key',
  idempotencyKey: 'idempotency-key',
  requestId: 'x-request-id',
  lastEventId: 'last-event-id',
  idempotentReplayed: 'idempotent-replayed',
  retryAfter: 'retry-after',
  shouldRetry: 'x-should-retry',
  callId: 'x-call-id',
  costUsd: 'x-cost-usd',
  budgetScope: 'x-budget-scope',
  errorReason: 'x-error-reason',
  servedBy: 'x-served-by',
} as const;
