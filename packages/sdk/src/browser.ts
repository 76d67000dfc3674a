import type { ModelGateway, ModelGatewayOptions } from './ai/provider.ts';
import type { ClientOptions } from './call/options.ts';
import type { Client } from './client/client.ts';
import type { OpenAiSettings } from './openai/openai-settings.ts';

/**
 * Replaces `createClient` in a bundle for browsers. There every visitor of the page could read the
 * key, and spend the app's budget.
 * @throws TypeError always, with the reason and the correction.
 */
export function createClient(_options: ClientOptions): Client {
  return refuse('createClient');
}

/** The same for `createModelGateway`. */
export function createModelGateway(_options: ModelGatewayOptions): ModelGateway {
  return refuse('createModelGateway');
}

/** The same for `createOpenAiSettings`. */
export function createOpenAiSettings(_options: ClientOptions): OpenAiSettings {
  return refuse('createOpenAiSettings');
}

function refuse(owner: string): never {
  throw new TypeError(
    `${owner}: this is a browser, or a bundle made for one, and every visitor of the page would ` +
      "have the API key and could spend the app's budget. Make the calls on your server, and let " +
      'the page ask that. (A test of server code in jsdom: run it in the environment "node", or ' +
      'use createFakeClient of @model-gateway/sdk/testing.)',
  );
}
