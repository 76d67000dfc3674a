import type { ClientOptions } from './call/options.ts';
import { systemRuntime } from './call/runtime-system.ts';
import { type Client, createClientWith } from './client/client.ts';

/**
 * Creates the client of one app. It opens nothing and needs no closing.
 * @throws TypeError for a bad option, with the correction.
 * @example
 * const client = createClient({ baseUrl: 'https://gateway.example.com/v1', apiKey });
 * const { text } = await client.chat({ model, maxTokens: 500, messages });
 */
export function createClient(options: ClientOptions): Client {
  return createClientWith(systemRuntime(), options);
}
