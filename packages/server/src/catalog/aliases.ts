import type { AliasConfig } from '../domain/model.ts';
import type { Wire } from '../domain/wire.ts';
import { didYouMean } from '../lib/nearest.ts';
import type { Alias, Catalog, CatalogModel } from './catalog.ts';
import { combineHighestRates } from './combine-highest-rates.ts';
import type { ShippedModel } from './shipped-model.ts';

/** At each lookup its models come from the current catalog. */
export function createAliases(
  configs: readonly AliasConfig[],
  modelOf: (id: string, wire?: Wire) => CatalogModel,
): ReadonlyMap<string, (wire?: Wire) => Alias> {
  return new Map(
    configs.map(({ id, route: [first, ...others], fallbackOn }) => [
      id,
      (wire) => ({
        ...{ id, fallbackOn },
        models: [modelOf(first, wire), ...others.map((other) => modelOf(other, wire))],
      }),
    ]),
  );
}

/** Shows the features that all its models support, at a price no lower than any of theirs. */
export function rowOf({ id, models }: Alias): CatalogModel {
  const [first] = models;
  const { contextTokens: _context, maxOutputTokens: _output, ...priced } = first;
  const { price: _price, retires: _retires, ...shape } = priced;
  const prices = models.flatMap(({ price }) => price ?? []);
  const price = prices.length === models.length ? combineHighestRates(prices) : undefined;
  return {
    ...shape,
    ...{ id, upstreamModel: id, images: models.every(({ images }) => images) },
    ...leastOf('contextTokens', models),
    ...leastOf('maxOutputTokens', models),
    ...(price && { price }),
    ...lastRetirement(models),
  };
}

/** An alias is retired when all its models are. */
function lastRetirement(models: Alias['models']): Pick<CatalogModel, 'retires'> {
  const days = models.flatMap(({ retires }) => retires ?? []).toSorted();
  const last = days.at(-1);
  return last === undefined || days.length < models.length ? {} : { retires: last };
}

function leastOf(name: 'contextTokens' | 'maxOutputTokens', models: Alias['models']) {
  const known = models.flatMap((model) => model[name] ?? []);
  return known.length === 0 ? {} : { [name]: Math.min(...known) };
}

export function aliasProblems(
  aliases: readonly AliasConfig[],
  parts: { readonly shipped: readonly ShippedModel[]; readonly catalog: Pick<Catalog, 'list'> },
): readonly string[] {
  if (aliases.length === 0) return [];
  const names = new Set(aliases.map(({ id }) => id));
  const ids = new Set(parts.shipped.map(({ id }) => id));
  const listed = new Map(parts.catalog.list().map(({ id, kind }) => [id, kind]));
  return aliases.flatMap(({ id, route }) => {
    const taken = `models: the alias ${id} has the id of a built-in model; choose another id`;
    const wrong = route.flatMap((model) => {
      if (names.has(model)) {
        return `models: the alias ${id} includes the alias ${model}; use model ids`;
      }
      if (listed.has(model)) return [];
      const cure = didYouMean(model, [...listed.keys()]) || 'add one to models';
      return `models: the alias ${id} includes ${model}, which no row of a configured platform has; ${cure}`;
    });
    const known = route.filter((model) => listed.has(model));
    const kinds = new Set(known.map((model) => listed.get(model)));
    if (kinds.size > 1) {
      wrong.push(
        `models: the alias ${id} includes text models and embedding models; no call can use both, so create one alias for each kind`,
      );
    }
    return ids.has(id) ? [taken, ...wrong] : wrong;
  });
}
