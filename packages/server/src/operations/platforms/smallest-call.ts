import type { Catalog, CatalogModel } from '../../catalog/catalog.ts';
import { cost } from '../../catalog/cost.ts';
import { formatUsd } from '../../lib/money.ts';
import { problemOf } from '../../platforms/check-platform.ts';
import type { ModelRequest } from '../../platforms/model/model-request.ts';
import type { AttemptOutcome, Platform } from '../../platforms/model/port.ts';
import type { ProjectBinding } from '../../store/queries/registry.ts';

export interface SmallestCall {
  readonly model: string | null;
  readonly app: string | null;
  readonly answered: boolean;
  readonly status: number | null;
  readonly usd: string | null;
  /** The fault and the remedy; null after a response. */
  readonly problem: string | null;
}

const request: ModelRequest = {
  messages: [{ role: 'user', content: 'Say hello.' }],
  maxTokens: 16,
};

export interface SmallestCallParts {
  readonly platform: Platform;
  readonly catalog: Pick<Catalog, 'list' | 'isRetired'>;
  readonly bindings: readonly ProjectBinding[];
  readonly signal: AbortSignal;
}

/**
 * Calls the cheapest model once, bypassing budgets and ledger: the platform bills it, no app is
 * charged. Never throws.
 */
export async function callSmallest(parts: SmallestCallParts): Promise<SmallestCall> {
  const { platform, catalog, bindings, signal } = parts;
  const { name, needsProject } = platform;
  const served = catalog.list().filter((model) => !catalog.isRetired(model));
  const row = cheapestModel(served.filter((model) => model.platform === name));
  if (row === undefined) return notMade(`the platform ${name} has no models; add one under models`);
  const binding = bindings.find((bound) => bound.platform === name);
  if (needsProject && binding === undefined) {
    return notMade(`no app has a project on ${name}; run "npx model-gateway projects apply"`);
  }
  const options = { projectId: binding?.projectId, signal, sentences: 'logged' } as const;
  const outcome = await platform
    .model(row)
    .attempt({ ...request, fields: row.send?.fields }, options);
  const made = { model: row.id, app: (needsProject && binding?.app) || null };
  const status = outcome.kind === 'answered' ? 200 : (outcome.status ?? null);
  const isAnswered = outcome.kind === 'answered';
  const problem = isAnswered ? null : describeProblem(outcome, row);
  return { ...made, status, answered: isAnswered, usd: usdOf(outcome, row), problem };
}

function notMade(problem: string): SmallestCall {
  return { model: null, app: null, answered: false, status: null, usd: null, problem };
}

/** For the simulator, returns the echo model: most others simulate failures. */
export function cheapestModel(rows: readonly CatalogModel[]): CatalogModel | undefined {
  const echo = rows.find(({ id }) => id === 'sim-echo');
  const chat = rows.filter(({ kind }) => kind !== 'embeddings');
  const priced = chat.filter(({ price }) => price !== undefined);
  const [first] = (priced.length > 0 ? priced : chat).toSorted((a, b) => rateOf(a) - rateOf(b));
  return echo ?? first;
}

/** A float, so only for sorting. */
function rateOf({ price }: CatalogModel): number {
  return price === undefined ? 0 : Number(price.inputPicoUsd + price.outputPicoUsd);
}

function usdOf(outcome: AttemptOutcome, { price }: CatalogModel): string | null {
  const { inputTokens, outputTokens } = outcome.usage ?? {};
  if (price === undefined || inputTokens === undefined || outputTokens === undefined) return null;
  const { cachedInputTokens = 0, cacheWriteInputTokens = 0 } = outcome.usage ?? {};
  const { reasoningTokens = 0 } = outcome.usage ?? {};
  const counts = { inputTokens, cachedInputTokens, cacheWriteInputTokens, outputTokens };
  const parts = price.parts?.reasoning && { parts: { reasoning: reasoningTokens } };
  return formatUsd(cost({ ...counts, reasoningTokens, ...parts }, price));
}

function describeProblem(
  outcome: Extract<AttemptOutcome, { kind: 'failed' }>,
  { id, upstreamModel, platform: name }: CatalogModel,
): string {
  const { status, detail } = outcome;
  if (status === 401) return problemOf('unauthorized', { name, where: name, status }) ?? detail;
  if (status === 403) return problemOf('forbidden', { name, where: name, status }) ?? detail;
  if (status !== 404) return `${name} did not answer a call of ${id}: ${detail}`;
  return `${name} returned 404: the model ${upstreamModel} or the path does not exist. Check upstreamModel of ${id} and baseUrl of platforms.${name}`;
}
