import { addSums, type UsageSums } from '../books/splits.ts';
import { eachInTurns, sortedInTurns } from '../lib/in-turns.ts';
import { formatUsd } from '../lib/money.ts';
import { csvLine } from './csv.ts';
import type { Column, Dimension } from './dimensions.ts';
import { type Tags, tagOf, tagsText } from './tags.ts';

/** A column that the report is not split by is `''`. */
export type Group = Readonly<Record<Column, string>> & UsageSums;

/** `''` means none. */
export interface Names {
  groups(app: string): readonly string[];
  project(app: string, platform: string, day: string): string;
  tags(app: string): Tags;
  platform(model: string): string;
}

/** Exact decimal USD; the cost is exact + estimated + corrected. */
export interface SumsDocument {
  readonly calls: number;
  readonly errors: number;
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly cacheWriteInputTokens: number;
  readonly cacheWrite1hInputTokens: number;
  readonly outputTokens: number;
  readonly reasoningTokens: number;
  readonly costUsd: string;
  readonly exactUsd: string;
  readonly estimatedUsd: string;
  readonly correctedUsd: string;
  /** From models without a price, whichever of the three parts it belongs to. */
  readonly unpricedUsd: string;
  readonly unpricedCalls: number;
}

/** `names` follows the order of the dimensions. */
export interface ReportRow {
  readonly names: readonly string[];
  readonly sums: UsageSums;
}

export const noSums: UsageSums = {
  ...{ calls: 0, errors: 0, inputTokens: 0, cachedInputTokens: 0, cacheWriteInputTokens: 0 },
  ...{ outputTokens: 0, reasoningTokens: 0, cacheWrite1hInputTokens: 0, unpricedCalls: 0 },
  ...{ cost: 0n, estimated: 0n, corrected: 0n, unpriced: 0n },
};

export async function rowsOf(
  groups: Iterable<Group>,
  by: readonly Dimension[],
  names: Names,
): Promise<readonly ReportRow[]> {
  const rows = new Map<string, ReportRow>();
  await eachInTurns(groups, (group) => {
    const rowNames = by.map((one) => nameOf(one, group, names));
    const key = rowNames.join('\n');
    const sums = rows.get(key)?.sums ?? noSums;
    rows.set(key, { names: rowNames, sums: addSums(sums, group) });
  });
  const some: ReportRow[] = [];
  await eachInTurns(rows.values(), (row) => {
    if (isSomething(row)) some.push(row);
  });
  return sortedInTurns(some, byNames);
}

function nameOf(one: Dimension, group: Group, names: Names): string {
  const { app, day, model, keyId, userId } = group;
  switch (one) {
    case 'app':
      return app;
    case 'model':
      return model;
    case 'day':
      return day;
    case 'key':
      return keyId;
    case 'user':
      return userId;
    case 'group':
      return names.groups(app).join(' ');
    case 'tag':
      return tagsText(names.tags(app));
    case 'platform':
      return platformOf(group, names);
    case 'project':
      return names.project(app, platformOf(group, names), day);
    default:
      return tagOf(names.tags(app), one.slice('tag:'.length));
  }
}

function platformOf({ platform, model }: Group, names: Names): string {
  return platform === '' ? names.platform(model) : platform;
}

/** Moving amounts between names leaves rows of zeros. */
function isSomething({ sums }: ReportRow): boolean {
  return Object.values(sums).some((sum) => sum !== 0 && sum !== 0n);
}

function byNames(a: ReportRow, b: ReportRow): number {
  for (const [at, name] of a.names.entries()) {
    const other = b.names[at] ?? '';
    if (name !== other) return name < other ? -1 : 1;
  }
  return 0;
}

export async function topOf(
  rows: readonly ReportRow[],
  most: number,
): Promise<readonly ReportRow[]> {
  const sorted = await sortedInTurns(rows, (a, b) => {
    if (a.sums.cost === b.sums.cost) return byNames(a, b);
    return a.sums.cost < b.sums.cost ? 1 : -1;
  });
  return sorted.slice(0, most);
}

export async function totalOf(rows: Iterable<Pick<ReportRow, 'sums'>>): Promise<UsageSums> {
  let total = noSums;
  await eachInTurns(rows, ({ sums }) => {
    total = addSums(total, sums);
  });
  return total;
}

export function sumsDocument(sums: UsageSums): SumsDocument {
  return {
    calls: sums.calls,
    errors: sums.errors,
    inputTokens: sums.inputTokens,
    cachedInputTokens: sums.cachedInputTokens,
    cacheWriteInputTokens: sums.cacheWriteInputTokens,
    cacheWrite1hInputTokens: sums.cacheWrite1hInputTokens,
    outputTokens: sums.outputTokens,
    reasoningTokens: sums.reasoningTokens,
    costUsd: formatUsd(sums.cost),
    exactUsd: formatUsd(sums.cost - sums.estimated - sums.corrected),
    estimatedUsd: formatUsd(sums.estimated),
    correctedUsd: formatUsd(sums.corrected),
    unpricedUsd: formatUsd(sums.unpriced),
    unpricedCalls: sums.unpricedCalls,
  };
}

/** Adds up rows that are equal without the name; sorted by names. */
export function withoutName(rows: readonly ReportRow[], at: number): readonly ReportRow[] {
  const folded = new Map<string, ReportRow>();
  for (const { names: all, sums } of rows) {
    const names = all.toSpliced(at, 1);
    const key = names.join('\n');
    const existing = folded.get(key);
    folded.set(key, { names, sums: existing === undefined ? sums : addSums(existing.sums, sums) });
  }
  return [...folded].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

const csvColumns = [
  ...(['calls', 'errors', 'inputTokens', 'cachedInputTokens', 'cacheWriteInputTokens'] as const),
  ...(['cacheWrite1hInputTokens', 'outputTokens', 'reasoningTokens'] as const),
  ...(['costUsd', 'exactUsd', 'estimatedUsd', 'correctedUsd', 'unpricedUsd'] as const),
  'unpricedCalls',
] as const satisfies readonly (keyof SumsDocument)[];

/** No total, since the rows add up to the report. `seen` limits names to the visible ones. */
export async function reportCsv(
  by: readonly Dimension[],
  rows: readonly ReportRow[],
  maskNames: (names: readonly string[]) => readonly string[] = (names) => names,
): Promise<readonly string[]> {
  const lines = [csvLine([...by, ...csvColumns])];
  await eachInTurns(rows, ({ names, sums }) => {
    const document = sumsDocument(sums);
    const numbers = csvColumns.map((field) => ({ number: String(document[field]) }));
    lines.push(csvLine([...maskNames(names), ...numbers]));
  });
  return lines;
}
