import { expect, test } from 'vitest';
import { pathFamilies } from '../../src/domain/platform-kinds/kind-facts.ts';
import { meetChat } from '../support/exchange.ts';
import { onStack } from '../support/on-stack.ts';
import { defaultYaml } from '../support/stack.ts';

/** Simulated models that one of two platforms serves, on every path. */
const places = ['echo', 'v1-only', 'openai-v1-only', 'messages-only', 'responses-only'] as const;

const rows = places.flatMap((model) =>
  pathFamilies.map(
    (family) =>
      `  - { id: ${model}-on-${family}, platform: sandbox, upstreamModel: sim-${model}, pathFamily: ${family} }`,
  ),
);

const served: Record<(typeof places)[number], RegExp> = {
  echo: /./,
  'v1-only': /^v1-|messages/,
  'openai-v1-only': /^openai-|messages/,
  'messages-only': /messages/,
  'responses-only': /responses/,
};

test.each(places)(
  'a row’s path family determines where %s is called, and nowhere else',
  onStack(
    async (stack, model) => {
      for (const family of pathFamilies) {
        const { status, error } = await meetChat(stack, 'search', `${model}-on-${family}`);
        expect([family, status, error?.code]).toEqual(
          served[model].test(family) ? [family, 200, undefined] : [family, 400, 'BAD_REQUEST'],
        );
      }
      expect(stack.simulator.bill().missingProjectCalls).toBe(0);
    },
    { yaml: `${defaultYaml}models:\n${rows.join('\n')}\n` },
  ),
);
