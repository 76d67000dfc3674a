import type { Catalog, CatalogModel } from '../../catalog/catalog.ts';
import { loadProviderPrices, type ProviderPrices } from '../../catalog/genai-prices.ts';
import { type RateRow, ratesOf } from '../../catalog/model-row.ts';
import { priceOf } from '../../catalog/price.ts';
import type { Speaks } from '../../domain/path-family.ts';
import type { PlatformFacts } from '../../domain/platform.ts';
import { factsOf } from '../../domain/platform-kinds/platform-kinds.ts';
import { AdminError, unknownPlatform } from '../context/admin-error.ts';

export interface ProposedModel extends RateRow, ModelPlace {
  readonly speaks?: Speaks;
  readonly contextTokens?: number;
}

export interface ModelProposals {
  readonly models: readonly ProposedModel[];
  /** Those of `models` that replace another price in the catalog. */
  readonly replaced: readonly ModelPlace[];
  readonly unchanged: readonly ModelPlace[];
  readonly notProposed: readonly (ModelPlace & { readonly reason: string })[];
}

export interface ModelPlace {
  readonly id: string;
  readonly platform: string;
}

export interface ImportWishes {
  /** Undefined: every configured platform with a known provider. */
  readonly platform: string | undefined;
  /** The package's provider id, for a platform whose kind does not imply it. */
  readonly provider: string | undefined;
  /** Undefined: all of the provider's. */
  readonly models: readonly string[] | undefined;
}

export async function proposeModels(parts: {
  readonly platforms: readonly PlatformFacts[];
  readonly catalog: Catalog;
  readonly wishes: ImportWishes;
  readonly nowMs: number;
}): Promise<ModelProposals> {
  const { catalog, wishes, nowMs } = parts;
  const proposals: Sorted[] = [];
  for (const { platform, provider } of chosen(parts.platforms, wishes)) {
    const prices = await loadProviderPrices(provider);
    if (prices === undefined) {
      throw new AdminError(`the package has no provider ${JSON.stringify(provider)}`, {
        isBadValue: true,
      });
    }
    for (const candidate of candidatesOf(platform, prices, wishes.models)) {
      proposals.push(sort({ platform, catalog, prices, nowMs, candidate }));
    }
  }
  return {
    models: proposals.flatMap((one) => (one.kind === 'proposed' ? [one.model] : [])),
    replaced: proposals.flatMap((one) =>
      one.kind === 'proposed' && one.replaces ? [one.place] : [],
    ),
    unchanged: proposals.flatMap((one) => (one.kind === 'unchanged' ? [one.place] : [])),
    notProposed: proposals.flatMap((one) =>
      one.kind === 'not-proposed' ? [{ ...one.place, reason: one.reason }] : [],
    ),
  };
}

function chosen(platforms: readonly PlatformFacts[], { platform: name, provider }: ImportWishes) {
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

/** `id` is undefined where the platform's own id is unknown. */
interface Candidate {
  readonly id: string | undefined;
  readonly packageId: string;
}

function candidatesOf(
  { kind }: PlatformFacts,
  { models }: ProviderPrices,
  wanted: readonly string[] | undefined,
): readonly Candidate[] {
  if (wanted !== undefined) return wanted.map((id) => ({ id, packageId: id }));
  const isId = factsOf(kind).priceList?.isId;
  return models.map(({ id, names }) => ({
    packageId: id,
    id: names.find((name) => (isId === undefined ? name === id : isId(name))),
  }));
}

type Sorted =
  | {
      readonly kind: 'proposed';
      readonly place: ModelPlace;
      readonly model: ProposedModel;
      readonly replaces: boolean;
    }
  | { readonly kind: 'unchanged'; readonly place: ModelPlace }
  | { readonly kind: 'not-proposed'; readonly place: ModelPlace; readonly reason: string };

function sort(parts: {
  readonly platform: PlatformFacts;
  readonly catalog: Catalog;
  readonly prices: ProviderPrices;
  readonly nowMs: number;
  readonly candidate: Candidate;
}): Sorted {
  const { platform, catalog, prices, nowMs } = parts;
  const { id, packageId } = parts.candidate;
  const place = { id: id ?? packageId, platform: platform.name };
  const refuse = (reason: string): Sorted => ({ kind: 'not-proposed', place, reason });
  if (id === undefined) {
    return refuse('the package does not contain its id on the platform; set that id with --models');
  }
  const found = prices.find(id, nowMs);
  if (found.kind === 'none') return refuse(found.reason);
  const { price, contextTokens } = found;
  const row = catalog.model(id);
  if (isPricedLike(row, place, price)) return { kind: 'unchanged', place };
  if (row.source !== undefined && row.platform === platform.name) {
    return refuse(`the catalog has a newer price, from ${row.source}`);
  }
  const model = {
    ...{ ...place, ...speaksOf(id, platform), ...price },
    ...(contextTokens !== undefined && { contextTokens }),
  };
  return { kind: 'proposed', place, model, replaces: row.isListed };
}

/** The package has no tiers or regions, so only rates are compared. */
function isPricedLike(
  { id, price, platform }: CatalogModel,
  place: ModelPlace,
  found: RateRow,
): boolean {
  if (price === undefined || platform !== place.platform) return false;
  return priceOf(id, price).version === priceOf(id, ratesOf(found)).version;
}

/** Empty where the platform's default is right. */
function speaksOf(id: string, { kind }: PlatformFacts): { readonly speaks?: Speaks } {
  const path = factsOf(kind).priceList?.speaksOf?.(id);
  return path === undefined ? {} : { speaks: [path] };
}
