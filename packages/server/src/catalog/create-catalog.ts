import type { Config } from '../domain/config.ts';
import { defaultImageTokensMax, isRetiredAt, type ModelConfig } from '../domain/model.ts';
import { type PathFamilies, wireOfPath } from '../domain/path-family.ts';
import type { PlatformFacts } from '../domain/platform.ts';
import { factsOf } from '../domain/platform-kinds/platform-kinds.ts';
import type { Wire } from '../domain/wire.ts';
import { type Clock, utcDayOf } from '../lib/clock.ts';
import { createAliases, rowOf } from './aliases.ts';
import type { Catalog, CatalogModel, ModelPrices } from './catalog.ts';
import { createHighestPrices } from './highest-prices.ts';
import type { ShippedModel } from './shipped-model.ts';
import { termProblem } from './term-problems.ts';
import { missingTier, priceOn } from './terms.ts';

interface DatedRow {
  readonly fromMs: number;
  readonly row: CatalogModel;
  readonly others: ReadonlyMap<Wire, CatalogModel>;
}

/** Oldest first; never empty. */
interface Entry {
  readonly rows: readonly [DatedRow, ...DatedRow[]];
}

/** Configured rows replace built-in rows by id. */
export function createCatalog(parts: {
  readonly models: Config['models'];
  readonly aliases: Config['aliases'];
  readonly platforms: readonly PlatformFacts[];
  readonly defaultPlatform: string;
  readonly shipped: readonly ShippedModel[];
  readonly clock: Clock;
}): Catalog {
  const entries = createEntries(parts);
  const sorted = [...entries].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, entry]) => entry);
  const rows = sorted.flatMap((entry) => entry.rows.map(({ row }) => row));
  const highest = createHighestPrices(rows, parts);
  const aliases = createAliases(parts.aliases, model);
  const { defaultPlatform } = parts;
  const others = { defaultPlatform, speaks: speaksOn(parts, defaultPlatform) };
  return {
    model: (id, wire) => aliases.get(id)?.(wire).models[0] ?? model(id, wire),
    alias: (id, wire) => aliases.get(id)?.(wire),
    aliases: () => [...aliases.values()].map((alias) => rowOf(alias())),
    list: () => sorted.map((entry) => current(entry, parts.clock)),
    isRetired: (row) => isRetiredAt(row, parts.clock.now()),
    shippedFor: (row) => shippedFor(row, parts),
    highestPrice: highest.of,
    pricesByModel: () => sorted.flatMap(pricesOf),
    prices: () => [...sorted.flatMap(pricesOf).flatMap(versionsOf), ...highest.prices],
  };

  function model(id: string, wire?: Wire): CatalogModel {
    const entry = entries.get(id) ?? unlisted(id, others);
    return current(entry, parts.clock, wire);
  }
}

function current({ rows }: Entry, clock: Clock, wire?: Wire): CatalogModel {
  const [first] = rows;
  let dated = first;
  // Nearly every model has one price, so most calls need no clock.
  if (rows.length > 1) {
    const nowMs = clock.now();
    dated = rows.findLast(({ fromMs }) => fromMs <= nowMs) ?? first;
  }
  return (wire && dated.others.get(wire)) ?? dated.row;
}

function createEntries(parts: {
  readonly models: Config['models'];
  readonly platforms: readonly PlatformFacts[];
  readonly shipped: readonly ShippedModel[];
}): Map<string, Entry> {
  const entries = new Map<string, Entry>();
  for (const { platformKind, ...model } of parts.shipped) {
    const platform = parts.platforms.find(({ kind }) => kind === platformKind);
    if (platform !== undefined)
      entries.set(model.id, entryOf({ ...model, platform: platform.name }, platform));
  }
  for (const model of parts.models) {
    const platform = parts.platforms.find(({ name }) => name === model.platform);
    const speaks = model.speaks ?? (model.kind === undefined && speaksOn(parts, model.platform));
    if (platform === undefined) continue;
    entries.set(model.id, entryOf({ ...model, ...(speaks && { speaks }) }, platform));
  }
  return entries;
}

function entryOf({ prices = [], ...model }: ModelConfig, platform: PlatformFacts): Entry {
  const row = { ...model, isListed: true };
  const always = Number.NEGATIVE_INFINITY;
  const [first, ...later] = prices.map((dated) => {
    const { fromDay, readDay, source } = dated;
    const tier = missingTier(platform, model.kind, dated);
    return datedRow(fromDay === undefined ? always : Date.parse(`${fromDay}T00:00:00Z`), {
      ...row,
      price: priceOn(platform, model, dated),
      ...(source !== undefined && { source }),
      ...(readDay !== undefined && { readDay }),
      ...(tier !== undefined && { missingTier: tier }),
    });
  });
  return { rows: [first ?? datedRow(always, row), ...later] };
}

export function priceProblems(
  parts: Pick<Parameters<typeof createCatalog>[0], 'models' | 'platforms' | 'shipped'>,
): readonly string[] {
  const own = new Set(parts.models.map(({ id }) => id));
  const shipped = parts.shipped.flatMap(({ platformKind, ...model }) => {
    const platform = parts.platforms.find(({ kind }) => kind === platformKind);
    return platform === undefined || own.has(model.id) ? [] : { model, platform };
  });
  const configured = parts.models.flatMap((model) => {
    const platform = parts.platforms.find(({ name }) => name === model.platform);
    return platform === undefined ? [] : { model, platform };
  });
  return [...configured, ...shipped].flatMap(({ model, platform }) => [
    ...new Set(
      (model.prices ?? []).flatMap((dated) => termProblem({ platform, model, dated }) ?? []),
    ),
  ]);
}

/** Excludes the simulator: its prices are examples. */
function shippedFor(
  { source, platform, upstreamModel }: CatalogModel,
  parts: Pick<Parameters<typeof createCatalog>[0], 'platforms' | 'shipped' | 'clock'>,
): CatalogModel | undefined {
  if (source !== undefined) return undefined;
  const own = parts.platforms.find(({ name }) => name === platform);
  const shipped = parts.shipped.find(
    ({ id, platformKind }) => id === upstreamModel && platformKind === own?.kind,
  );
  if (shipped === undefined || own === undefined || own.kind === 'simulator') return undefined;
  const { platformKind: _platformKind, ...model } = shipped;
  return current(entryOf({ ...model, platform }, own), parts.clock);
}

function unlisted(
  id: string,
  {
    defaultPlatform: platform,
    speaks,
  }: { readonly defaultPlatform: string; readonly speaks: PathFamilies | undefined },
): Entry {
  const row = {
    ...{ id, platform, upstreamModel: id, ...(speaks && { speaks }) },
    structuredOutput: 'json-schema',
    images: false,
    imageTokensMax: defaultImageTokensMax,
    isListed: false,
  } as const;
  return { rows: [datedRow(Number.NEGATIVE_INFINITY, row)] };
}

function speaksOn(
  { platforms }: Pick<Config, 'platforms'>,
  platform: string,
): PathFamilies | undefined {
  const kind = platforms.find(({ name }) => name === platform)?.kind;
  return kind && factsOf(kind).defaultSpeaks;
}

function datedRow(fromMs: number, row: CatalogModel): DatedRow {
  const { speaks = [] } = row;
  const others = new Map<Wire, CatalogModel>();
  for (const path of speaks.slice(1)) {
    const rest = speaks.filter((each) => each !== path);
    others.set(wireOfPath[path], { ...row, speaks: [path, ...rest] });
  }
  return { fromMs, row, others };
}

function pricesOf({ rows: [first, ...later] }: Entry): readonly ModelPrices[] {
  const prices = [first, ...later].flatMap(({ fromMs, row: { price } }) => {
    const fromDay = Number.isFinite(fromMs) ? utcDayOf(fromMs) : undefined;
    return price === undefined ? [] : [{ fromDay, price }];
  });
  return prices.length === 0 ? [] : [{ model: first.row.id, prices }];
}

function versionsOf({ model, prices }: ModelPrices) {
  return [...new Map(prices.map(({ price }) => [price.version, { ...price, model }])).values()];
}
