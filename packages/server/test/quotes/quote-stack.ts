import type { QuoteAnswer } from '@model-gateway/contract';
import { formatUsd } from '../../src/lib/money.ts';
import type { Store } from '../../src/store/port/port.ts';
import { openStack, type Stack } from '../support/stack.ts';

/** A service with models of every kind, and visible reservations. */
export interface QuoteStack {
  readonly stack: Stack;
  /** The reservations that `run` requested, in USD, and whether they succeeded. */
  reservedBy(run: () => Promise<unknown>): Promise<readonly Reserved[]>;
}

/** A reservation as it reached the store. */
export interface Reserved {
  readonly amountUsd: string;
  readonly outcome: string;
}

/**
 * Models without a price and with one, aliases, a tool for objects, embeddings, expensive contexts.
 */
export function quoteYaml(store: string, more = ''): string {
  return `
company: acme
adminEmail: admin@acme.example
store: "${store}"
unpriced: free
plans: { user: { ratePerSecond: 100000, burst: 100000, requestsPerDay: 10000000 } }
platforms:
  sandbox: { kind: simulator }
models:
  - { id: by-tool, platform: sandbox, upstreamModel: sim-echo, structuredOutput: tool, inputUsdPerMillion: "0.2", outputUsdPerMillion: "0.7" }
  - { id: no-output, platform: sandbox, upstreamModel: sim-echo, inputUsdPerMillion: "3", outputUsdPerMillion: "0" }
  - { id: short, platform: sandbox, upstreamModel: sim-echo, inputUsdPerMillion: "1", outputUsdPerMillion: "0.1", maxOutputTokens: 50 }
  - { id: sim-embed, platform: sandbox, kind: embeddings, inputUsdPerMillion: "0.02" }
  - { id: both, route: [sim-echo, short, no-output] }
  - { id: dear-first, route: [sim-cached, sim-echo] }
apps:
  - { name: search, dailyBudgetUsd: "5" }
  - { name: tutor, dailyBudgetUsd: "5", credits: { monthlyGrant: "100", usdPerCredit: "0.01" } }
${more}`;
}

export async function openQuoteStack(target: string, more = ''): Promise<QuoteStack> {
  const seen: Reserved[] = [];
  const stack = await openStack({ yaml: quoteYaml(target, more), wrapStore: watching(seen) });
  return {
    stack,
    async reservedBy(run) {
      const before = seen.length;
      await run();
      return seen.slice(before);
    },
  };
}

function watching(seen: Reserved[]) {
  return (store: Store): Store => ({
    ...store,
    async commit(batch) {
      const results = await store.commit(batch);
      for (const [index, operation] of batch.entries()) {
        if (operation.kind !== 'reserve') continue;
        const result = results[index];
        const outcome = result?.ok === true ? result.outcome : undefined;
        const amountUsd = formatUsd(operation.amount);
        const kind = outcome?.kind === 'refused' ? outcome.code : outcome?.kind;
        seen.push({ amountUsd, outcome: kind ?? 'failed' });
      }
      return results;
    },
  });
}

export const pathOf = {
  chat: '/v1/chat',
  objects: '/v1/objects',
  agents: '/v1/agents/run',
  embeddings: '/v1/embeddings',
} as const;

export type Quoted = keyof typeof pathOf;

/** The response to a quote request whose text is `text`. */
export async function quoteText(
  stack: Stack,
  app: string,
  operation: Quoted,
  text: string,
  models: readonly string[] = [],
): Promise<{ readonly status: number; readonly body: QuoteAnswer; readonly text: string }> {
  const others = models.length === 0 ? '' : `,"models":${JSON.stringify(models)}`;
  const body = `{"operation":"${operation}","request":${text}${others}}`;
  const response = await stack.post(app, '/v1/quote', body);
  const answered = await response.text();
  return { status: response.status, body: JSON.parse(answered), text: answered };
}
