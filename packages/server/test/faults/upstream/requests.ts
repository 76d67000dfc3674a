import type { Operation } from '@model-gateway/contract';
import type { Client } from '@model-gateway/sdk';
import { searchTool } from '../../agents/ask.ts';

/** A request of an operation that fits every response of the matrix. */
export interface MatrixRequest {
  /** The body, as the client writes it. */
  readonly body: object;
  /** The part of it that the maximum cost counts twice, as JSON. */
  readonly schemaText: string;
  readonly hasTools: boolean;
  send(client: Client): Promise<unknown>;
}

/** The model's input in addition to a schema or tools. */
export const promptText = 'Find the book.';

/** Large enough that a response of twice the size costs more than the reservation. */
export const maxTokens = 4_000;

export function requestOf(operation: Operation, model: string, userId: string): MatrixRequest {
  const messages = [{ role: 'user', content: promptText }] as const;
  const common = { model, maxTokens, messages, userId };
  switch (operation) {
    case 'chat':
      return {
        ...{ body: common, schemaText: '', hasTools: false },
        send: (client) => client.chat(common),
      };
    case 'embeddings': {
      const body = { model, input: promptText, userId };
      return {
        ...{ body, schemaText: '', hasTools: false },
        send: (client) => client.embed(body),
      };
    }
    case 'objects': {
      const schema = searchTool.inputSchema;
      const body = { ...common, schema };
      return {
        ...{ body, schemaText: JSON.stringify(schema), hasTools: false },
        send: (client) => client.object<unknown>(body),
      };
    }
    case 'agents': {
      const tools = [searchTool];
      const body = { ...common, tools };
      return {
        ...{ body, schemaText: JSON.stringify(tools), hasTools: true },
        send: (client) => client.agent(body),
      };
    }
  }
}
