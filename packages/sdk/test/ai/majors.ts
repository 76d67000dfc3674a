import type { EmbeddingModelV4, LanguageModelV4, ProviderV4 } from '@ai-sdk/provider';
import * as seven from 'ai';
import * as six from 'ai-6';
import { createModelGateway } from '../../src/ai.ts';
import type { Client } from '../../src/index.ts';
import { asTyped } from '../../src/lib/typed.ts';

/** A major version of the AI SDK, with the gateway's models for it. */
export interface Major {
  readonly name: string;
  readonly sdk: typeof seven;
  readonly version: 'v4';
  model(client: Client, defaults?: { userId?: string }): LanguageModelV4;
}

/** Both supported majors; the parts used here have the same types in both. */
export const majors: readonly Major[] = [
  {
    name: 'ai 7',
    sdk: seven,
    version: 'v4',
    model: (client, defaults) => createModelGateway({ client, ...defaults })('my-model'),
  },
  {
    name: 'ai 6',
    sdk: asTyped<typeof seven>(six),
    version: asTyped<'v4'>('v3'),
    model: (client, defaults) => {
      const gateway = createModelGateway({ client, specificationVersion: 'v3', ...defaults });
      const model: Exclude<six.LanguageModel, string> = gateway('my-model');
      return asTyped<LanguageModelV4>(model);
    },
  },
];

/** Compiles only while the provider has the AI SDK's own types. */
export function checkTypes(client: Client): ProviderV4 {
  const provider: ProviderV4 = createModelGateway({ client });
  const embedding: () => EmbeddingModelV4 = () => createModelGateway({ client }).embeddingModel('');
  return embedding === undefined ? createModelGateway({ client }) : provider;
}
