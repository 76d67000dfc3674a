import type { Outcome } from '@model-gateway/simulator';
import { afterAll, beforeAll } from 'vitest';
import { createApp } from '../../src/admin/apps.ts';
import type { AppSettings } from '../../src/domain/app.ts';
import { parseUsd } from '../../src/lib/money.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { openStack, type Stack } from '../support/stack.ts';

/** What a model of the alias comes to at each attempt; undefined: it answers. */
export type Does = Readonly<Record<string, Outcome | undefined>>;

/** A service with aliases, whose models do what a prompt says. */
export interface AliasStack {
  readonly stack: Stack;
  /** How often models were asked with a prompt, in order. */
  readonly asked: (prompt: string) => readonly string[];
  /** From now on a prompt is answered so. */
  plan(prompt: string, does: Does): void;
  newApp(settings?: Partial<AppSettings>): Promise<string>;
}

/** The price of `dear` is that of the simulator's large models, the others' that of its small. */
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
  - { id: down, route: [dear, sim-echo] }
  - { id: three, route: [sim-echo, third, dear] }
  - { id: unpriced, route: [sim-echo, sim-unpriced] }
  - { id: images, route: [sim-echo, sim-unpriced, dear] }
${more}`;
}

/** Opens a stack before the tests of a `describe`, and closes it after them. */
export function aliasStack(kind: 'sqlite' | 'postgres'): () => AliasStack {
  let postgres: TestPostgres | undefined;
  let opened: AliasStack | undefined;
  beforeAll(async () => {
    if (kind === 'postgres') postgres = await startPostgres();
    opened = await openAliasStack((await postgres?.database()) ?? 'sqlite:./gateway.db');
  });
  afterAll(async () => {
    await opened?.stack.close();
    await postgres?.close();
  });
  return () => {
    if (opened === undefined) throw new Error('the stack is open within tests alone');
    return opened;
  };
}

/** Opens one that its test closes. */
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
    // In virtual time the server's clock means nothing.
    wrapStore: ({ clock: _, ...rest }) => rest,
  });
  let apps = 0;
  return {
    stack,
    asked: (prompt) => seen.filter((call) => call.prompt === prompt).map(({ model }) => model),
    plan: (prompt, does) => void plans.set(prompt, does),
    async newApp(settings = {}) {
      apps += 1;
      const name = `app-${apps}`;
      await createApp(stack.admin, name, { dailyBudgetPicoUsd: parseUsd('5'), ...settings });
      await stack.clock.run(stack.service.registry.refresh());
      return name;
    },
  };
}
