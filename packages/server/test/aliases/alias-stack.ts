import type { Outcome } from '@model-gateway/simulator';
import { type SharedStack, type StoreKind, sharedOn, withApps } from '../support/shared-stack.ts';
import { openStack } from '../support/stack.ts';

/** The outcome of each model of the alias at every attempt; undefined: it answers. */
export type Does = Readonly<Record<string, Outcome | undefined>>;

/** A service with aliases, whose models behave as planned for a prompt. */
export interface AliasStack extends SharedStack {
  /** The models that received a prompt, in order. */
  readonly asked: (prompt: string) => readonly string[];
  /** Sets the outcomes for a prompt from now on. */
  plan(prompt: string, does: Does): void;
}

/** `dear` has the price of the simulator's large models, the others that of its small ones. */
export function aliasYaml(store: string, more = ''): string {
  return `
company: acme
store: "${store}"
streaming: true
limits: { drainMs: 5000 }
streams: { firstMs: 20000, idleMs: 15000, totalMs: 60000 }
plans: { user: { ratePerSecond: 100000, burst: 100000, requestsPerDay: 10000000 } }
platforms:
  sandbox: { kind: simulator }
  second: { kind: simulator }
apps:
  - { name: search, dailyBudgetUsd: "5" }
models:
  - id: dear
    platform: second
    upstreamModel: sim-cached
    inputUsdPerMillion: "1.1"
    cachedInputUsdPerMillion: "0.11"
    cacheWriteInputUsdPerMillion: "1.375"
    outputUsdPerMillion: "6.6"
    maxOutputTokens: 16384
  - id: third
    platform: sandbox
    upstreamModel: sim-slow
    inputUsdPerMillion: "0.15"
    cachedInputUsdPerMillion: "0.075"
    cacheWriteInputUsdPerMillion: "0.1875"
    outputUsdPerMillion: "0.6"
  - { id: both, route: [sim-echo, dear], fallbackOn: [throttled, server] }
  - { id: throttled, route: [sim-echo, dear], fallbackOn: [throttled] }
  - { id: server, route: [sim-echo, dear], fallbackOn: [server] }
  - { id: never, route: [sim-echo, dear], fallbackOn: [] }
  - { id: usual, route: [sim-echo, dear] }
  - { id: account, route: [sim-echo, dear], fallbackOn: [account] }
  - { id: every, route: [sim-echo, dear], fallbackOn: [throttled, server, account] }
  - { id: down, route: [dear, sim-echo] }
  - { id: three, route: [sim-echo, third, dear] }
  - { id: unpriced, route: [sim-echo, sim-unpriced] }
  - { id: images, route: [sim-echo, sim-unpriced, dear] }
${more}`;
}

/** Opens a stack before the tests of a `describe`, and closes it after them. */
export function aliasStack(kind: StoreKind): () => AliasStack {
  return sharedOn(kind, openAliasStack);
}

/** Opens a stack that its test closes. */
export async function openAliasStack(store = 'sqlite:./gateway.db'): Promise<AliasStack> {
  const plans = new Map<string, Does>();
  const seen: { prompt: string; model: string }[] = [];
  const stack = await openStack({
    yaml: aliasYaml(store),
    script({ request }) {
      const prompt = request.messages.at(-1)?.texts.join('') ?? '';
      seen.push({ prompt, model: request.model });
      return plans.get(prompt)?.[request.model];
    },
  });
  return {
    ...withApps(stack),
    asked: (prompt) => seen.filter((call) => call.prompt === prompt).map(({ model }) => model),
    plan: (prompt, does) => void plans.set(prompt, does),
  };
}
