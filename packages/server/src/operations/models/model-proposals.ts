import type { Catalog, CatalogModel } from '../../catalog/catalog.ts';
import { loadProviderPrices, type ProviderPrices } from '../../catalog/genai-prices.ts';
import { type RateRow, ratesOf } from '../../catalog/model-row.ts';
import { priceOf } from '../../catalog/price.ts';
import type { PathFamilies } from '../../domain/path-family.ts';
import type { PlatformFacts } from '../../domain/platform.ts';
import { factsOf } from '../../domain/platform-kinds/platform-kinds.ts';
import { AdminError, unknownPlatform } from '../context/admin-error.ts';

export interface ProposedModel extends RateRow, ModelKey {
  readonly speaks?: PathFamilies;
  readonly contextTokens?: number;
}

export interface ModelProposals {
  readonly models: readonly ProposedModel[];
  /** The entries of `models` that replace another price in the catalog. */
  readonly replaced: readonly ModelKey[];
  readonly unchanged: readonly ModelKey[];
  readonly notProposed: readonly (ModelKey & { readonly reason: string })[];
}

export interface ModelKey {
  readonly id: string;
  readonly platform: string;
}

export interface ImportFilter {
  /** Undefined: every configured platform with a known provider. */
  readonly platform: string | undefined;
  /** The package's provider id, for a platform whose kind does not imply it. */
  readonly provider: string | undefined;
  /** Undefined: all models of the provider. */
  readonly models: readonly string[] | undefined;
}

export async function proposeModels(parts: {
  readonly platforms: readonly PlatformFacts[];
  readonly catalog: Catalog;
  readonly filter: ImportFilter;
  readonly nowMs: number;
}): Promise<ModelProposals> {
  const { catalog, filter, nowMs } = parts;
  const proposals: Proposal[] = [];
  for (const { platform, provider } of chosen(parts.platforms, filter)) {
    const prices = await loadProviderPrices(provider);
    if (prices === undefined) {
      throw new AdminError(`the package has no provider ${JSON.stringify(provider)}`, {
        isBadValue: true,
      });
    }
    for (const candidate of candidatesOf(platform, prices, filter.models)) {
      proposals.push(classify({ platform, catalog, prices, nowMs, candidate }));
    }
  }
  return {
    models: proposals.flatMap((one) => (one.kind === 'proposed' ? [one.model] : [])),
    replaced: proposals.flatMap((one) =>
      one.kind === 'proposed' && one.replaces ? [one.key] : [],
    ),
    unchanged: proposals.flatMap((one) => (one.kind === 'unchanged' ? [one.key] : [])),
    notProposed: proposals.flatMap((one) =>
      one.kind === 'not-proposed' ? [{ ...one.key, reason: one.reason }] : [],
    ),
  };
}

function chosen(platforms: readonly PlatformFacts[], { platform: name, provider }: ImportFilter) {
  if (name === undefined) {
    if (provider !== undefined) {
      throw new AdminError('--provider requires --platform', { isBadValue: true });
    }
    return platforms.flatMap((platform) => {
      const known = factsOf(platform.kind).priceList?.provider;
      return known === undefined ? [] : [{ platform, provider: known }];
    });
  }
  const platform = platforms.find((one) => one.name === name);
  if (platform === undefined)
    throw unknownPlatform(
      name,
      platforms.map((one) => one.name),
    );
  const known = provider ?? factsOf(platform.kind).priceList?.provider;
  if (known === undefined) {
    throw new AdminError(
      `the platform ${name} (kind ${platform.kind}) does not determine a provider; set one of the package with --provider`,
      { isBadValue: true },
    );
  }
  return [{ platform, provider: known }];
}

/** `id` is undefined for an unknown platform id. */
interface Candidate {
  readonly id: string | undefined;
  readonly packageId: string;
}

function candidatesOf(
  { kind }: PlatformFacts,
  { models }: ProviderPrices,
  requestedIds: readonly string[] | undefined,
): readonly Candidate[] {
  if (requestedIds !== undefined) return requestedIds.map((id) => ({ id, packageId: id }));
  const isId = factsOf(kind).priceList?.isId;
  return models.map(({ id, names }) => ({
    packageId: id,
    id: names.find((name) => (isId === undefined ? name === id : isId(name))),
  }));
}

type Proposal =
  | {
      readonly kind: 'proposed';
      readonly key: ModelKey;
      readonly model: ProposedModel;
      readonly replaces: boolean;
    }
  | { readonly kind: 'unchanged'; readonly key: ModelKey }
  | { readonly kind: 'not-proposed'; readonly key: ModelKey; readonly reason: string };

function classify(parts: {
  readonly platform: PlatformFacts;
  readonly catalog: Catalog;
  readonly prices: ProviderPrices;
  readonly nowMs: number;
  readonly candidate: Candidate;
}): Proposal {
  const { platform, catalog, prices, nowMs } = parts;
  const { id, packageId } = parts.candidate;
  const key = { id: id ?? packageId, platform: platform.name };
  const refuse = (reason: string): Proposal => ({ kind: 'not-proposed', key, reason });
  if (id === undefined) {
    return refuse('the package does not contain its id on the platform; set that id with --models');
  }
  const match = prices.find(id, nowMs);
  if (match.kind === 'none') return refuse(match.reason);
  const { price, contextTokens } = match;
  const row = catalog.model(id);
  if (isPricedLike(row, key, price)) return { kind: 'unchanged', key };
  if (row.source !== undefined && row.platform === platform.name) {
    return refuse(`the catalog has a newer price, from ${row.source}`);
  }
  const model = {
    ...{ ...key, ...speaksOf(id, platform), ...price },
    ...(contextTokens !== undefined && { contextTokens }),
  };
  return { kind: 'proposed', key, model, replaces: row.isListed };
}

/** The package has no tiers or regions, so only rates are compared. */
function isPricedLike(
  { id, price, platform }: CatalogModel,
  key: ModelKey,
  rates: RateRow,
): boolean {
  if (price === undefined || platform !== key.platform) return false;
  return priceOf(id, price).version === priceOf(id, ratesOf(rates)).version;
}

/** Empty if the platform's default is correct. */
function speaksOf(id: string, { kind }: PlatformFacts): { readonly speaks?: PathFamilies } {
  const path = factsOf(kind).priceList?.speaksOf?.(id);
  return path === undefined ? {} : { speaks: [path] };
}
