import type { EmbeddingsAnswer } from '@model-gateway/contract';
import type { Stack } from '../support/stack.ts';

/** An app with a budget and an app that meters credits, with every embedding model. */
export const embeddingYaml = `
company: acme
adminEmail: admin@acme.example
store: sqlite:./gateway.db
platforms:
  sandbox: { kind: simulator }
models:
  - { id: sim-embed, platform: sandbox, kind: embeddings, inputUsdPerMillion: "0.02" }
  - { id: sim-embed-told, platform: sandbox, kind: embeddings, inputUsdPerMillion: "0.02" }
  - { id: sim-embed-short, platform: sandbox, kind: embeddings, inputUsdPerMillion: "0.02" }
  - { id: sim-embed-no-usage, platform: sandbox, kind: embeddings, inputUsdPerMillion: "0.02" }
  - { id: sim-embed-throttled, platform: sandbox, kind: embeddings, inputUsdPerMillion: "0.02" }
  - { id: sim-embed-crash, platform: sandbox, kind: embeddings, inputUsdPerMillion: "0.02" }
apps:
  - { name: search, dailyBudgetUsd: "5" }
  - { name: narrow, dailyBudgetUsd: "5", models: [sim-echo] }
  - { name: poor, dailyBudgetUsd: "0.00001" }
  - { name: tutor, dailyBudgetUsd: "5", credits: { monthlyGrant: "100", usdPerCredit: "0.01" } }
`;

/** Sends any request that HTTP allows, and lets its time pass. */
export async function embed(
  stack: Stack,
  body: object,
  { app = 'search', key }: { readonly app?: string; readonly key?: string } = {},
): Promise<Response> {
  const headers = key === undefined ? {} : { 'idempotency-key': key };
  const request = { model: 'sim-embed', input: 'Hello', ...body };
  return stack.post(app, '/v1/embeddings', request, { headers });
}

/** The response to a successful request. */
export async function embedded(stack: Stack, body: object, app?: string) {
  const response = await embed(stack, body, app === undefined ? {} : { app });
  if (response.status !== 200) throw new Error(await response.text());
  return answerOf(response);
}

/** The body of a response. */
export async function answerOf(response: Response): Promise<EmbeddingsAnswer> {
  return Object(await response.json());
}

/** The spent and the reserved amount of an app, as its callers see it. */
export async function budgetOf(stack: Stack, app = 'search') {
  const client = await stack.client(app);
  const { budget, totals } = await stack.clock.run(client.usage());
  return { spentUsd: budget?.spentUsd, heldUsd: budget?.heldUsd, totals };
}
