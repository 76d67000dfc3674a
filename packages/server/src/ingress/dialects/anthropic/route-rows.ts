/**
 * Every route of Anthropic's API that is spoken here, by its path and its name in metrics: the one
 * table that listener and errors read.
 */
export const routeRows = {
  messages: { method: 'POST', path: '/anthropic/v1/messages', name: 'anthropic-messages' },
  countTokens: {
    ...{ method: 'POST', path: '/anthropic/v1/messages/count_tokens' },
    name: 'anthropic-count-tokens',
  },
  models: { method: 'GET', path: '/anthropic/v1/models', name: 'anthropic-models' },
} as const;
