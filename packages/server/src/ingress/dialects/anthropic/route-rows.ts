/** The one table of paths and metrics names, for listener and errors. */
export const routeRows = {
  messages: { method: 'POST', path: '/anthropic/v1/messages', name: 'anthropic-messages' },
  countTokens: {
    ...{ method: 'POST', path: '/anthropic/v1/messages/count_tokens' },
    name: 'anthropic-count-tokens',
  },
  models: { method: 'GET', path: '/anthropic/v1/models', name: 'anthropic-models' },
} as const;
