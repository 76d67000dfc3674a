import { type Exchange, meet } from '../support/exchange.ts';
import type { Stack } from '../support/stack.ts';

export const searchTool = {
  name: 'search',
  description: 'Looks something up.',
  inputSchema: {
    type: 'object',
    properties: { query: { type: 'string' } },
    required: ['query'],
    additionalProperties: false,
  },
} as const;

/** The smallest agent turn. */
export function agentOf(model: string, more: object = {}) {
  const messages = [{ role: 'user', content: 'Find the book.' }] as const;
  return { model, maxTokens: 500, messages, tools: [searchTool], ...more };
}

/** One agent turn, through an app's client. */
export function meetTurn(
  stack: Stack,
  app: string,
  model: string,
  more: object = {},
): Promise<Exchange> {
  return meet(stack, app, (client) => client.agent(agentOf(model, more)));
}
