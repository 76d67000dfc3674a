import type { SpecificationVersion } from './ai/ai-types.ts';
import { createProvider, type ModelGateway, type ModelGatewayOptions } from './ai/provider.ts';
import { createClient } from './create-client.ts';

/**
 * The gateway as a provider of the AI SDK, over `/v1`: text, objects, tools, agents, and streams
 * where the gateway has `streaming` on. A call's cost is in `providerMetadata.modelGateway`. Errors
 * are `LlmError`s that the AI SDK takes for its own `APICallError`.
 * @throws TypeError for a bad option, with the correction.
 * @example
 * const gateway = createModelGateway({ baseUrl: 'https://gateway.example.com/v1', apiKey });
 * const { text, providerMetadata } = await generateText({ model: gateway('my-model'), prompt });
 */
export function createModelGateway(options: ModelGatewayOptions<'v4'>): ModelGateway<'v4'>;
export function createModelGateway<Version extends SpecificationVersion>(
  options: ModelGatewayOptions<Version>,
): ModelGateway<Version>;
export function createModelGateway(
  options: ModelGatewayOptions<SpecificationVersion>,
): ModelGateway<SpecificationVersion> {
  const { specificationVersion, maxOutputTokens, userId, ...rest } = options;
  const client = 'client' in rest ? rest.client : createClient(rest);
  return createProvider(client, { specificationVersion, maxOutputTokens, userId }, 'v4');
}
