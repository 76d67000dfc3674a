import type { Outcome } from '@model-gateway/simulator';
import type { SharedStack } from '../../support/shared-stack.ts';
import { routes } from './paid-routes.ts';
import { openPayingHouse } from './paying-house.ts';

/** A service in which every compatible route has an alias of two models. */
export interface AliasHouse extends SharedStack {
  /** Sets the outcome of the first model for a prompt from now on. */
  plan(prompt: string, does: Outcome | undefined): void;
  /** The models that received a prompt, in order. */
  asked(prompt: string): readonly string[];
}

/** Pico-USD per token of the more expensive model. */
export const dearRates = { input: 1_100_000n, output: 6_600_000n } as const;

/** Of each route: the alias, its first model, and its second. */
export const aliasesOf = Object.fromEntries(
  Object.entries(routes).map(([name, { model }]) => {
    const kind = model.replace('told-', '');
    return [name, { alias: `alias-${kind}`, first: model, second: `dear-${kind}` }];
  }),
);

const families: Readonly<Record<string, string>> = {
  chat: 'pathFamily: v1-chat',
  responses: 'pathFamily: v1-responses',
  messages: 'pathFamily: anthropic-v1-messages',
  embeddings: 'kind: embeddings',
};

const rows = Object.entries(families).map(([kind, more]) => {
  const [price, output] =
    kind === 'embeddings' ? ['0', ''] : ['6.6', ', outputUsdPerMillion: "6.6"'];
  return `  - { id: dear-${kind}, platform: second, upstreamModel: sim-usd-1.1-${price}, ${more}, inputUsdPerMillion: "1.1"${output} }
  - { id: alias-${kind}, route: [told-${kind}, dear-${kind}] }
  - { id: throttled-${kind}, route: [told-${kind}, dear-${kind}], fallbackOn: [throttled] }
`;
});

const mixed = `
  - { id: mixed, route: [told-messages, told-chat, told-responses] }
  - { id: no-price, platform: sandbox, upstreamModel: sim-unpriced, pathFamily: anthropic-v1-messages }
  - { id: unpriced, route: [told-messages, no-price] }
`;

/** Opens one before the tests of a `describe`, and closes it after them. */
export function openAliasHouse(kind: 'sqlite' | 'postgres'): () => AliasHouse {
  const plans = new Map<string, Outcome | undefined>();
  const seen: { readonly prompt: string; readonly model: string }[] = [];
  const house = openPayingHouse(kind, {
    more: rows.join('') + mixed,
    script({ request: { messages, model } }) {
      const prompt = messages.at(-1)?.texts.join('') ?? '';
      seen.push({ prompt, model });
      return model.startsWith('sim-usd') ? undefined : plans.get(prompt);
    },
  });
  return () => ({
    ...house(),
    plan: (prompt, does) => void plans.set(prompt, does),
    asked: (prompt) => seen.filter((call) => call.prompt === prompt).map(({ model }) => model),
  });
}
