import assert from 'node:assert/strict';
import { aiSdk } from './ai-sdk.ts';
import { anthropic } from './anthropic.ts';
import { bedrockMantle } from './bedrock-mantle.ts';
import type { KindFacts } from './kind-facts.ts';
import { openAi } from './openai.ts';
import { openAiCompatible } from './openai-compatible.ts';
import { simulator } from './simulator.ts';

/** In the order of the JSON Schema. */
const kinds = [simulator, openAiCompatible, openAi, anthropic, bedrockMantle, aiSdk] as const;

export type PlatformKind = (typeof kinds)[number]['name'];

export const platformKinds: readonly PlatformKind[] = kinds.map(({ name }) => name);

const factsByKind = new Map<string, KindFacts>(kinds.map((facts) => [facts.name, facts]));

export function factsOf(kind: PlatformKind): KindFacts {
  const facts = factsByKind.get(kind);
  assert(facts !== undefined, `${kind} is in the list`);
  return facts;
}
