/** The one table of paths and metrics names, for listener and errors. */
export const routeRows = {
  completions: { method: 'POST', path: '/openai/v1/chat/completions', name: 'openai-chat' },
  embeddings: { method: 'POST', path: '/openai/v1/embeddings', name: 'openai-embeddings' },
  deployedChat: {
    method: 'POST',
    path: '/openai/deployments/:deployment/chat/completions',
    name: 'openai-chat',
  },
  deployedEmbeddings: {
    method: 'POST',
    path: '/openai/deployments/:deployment/embeddings',
    name: 'openai-embeddings',
  },
  responses: { method: 'POST', path: '/openai/v1/responses', name: 'openai-responses' },
  models: { method: 'GET', path: '/openai/v1/models', name: 'openai-models' },
  model: { method: 'GET', path: '/openai/v1/models/:model', name: 'openai-models' },
} as const;
