import type { Spend } from '@model-gateway/server/operations/documents';
import { exactUsd, picoOf, shownParts, textOf } from '../../text/money.ts';

export type SpendRows = Pick<Spend, 'rows' | 'total' | 'found' | 'by'>;

const counts = [
  ...(['calls', 'errors', 'inputTokens', 'cachedInputTokens'] as const),
  ...(['outputTokens', 'reasoningTokens'] as const),
] as const;
type Counts = Readonly<Record<(typeof counts)[number], number>>;

/** A row of the table. */
export interface Line {
  readonly key: string;
  /** Undefined for the row of unlisted names. */
  readonly names: readonly string[] | undefined;
  readonly counts: Counts;
  readonly cost: Amount;
  readonly estimated: Amount;
  /** The same row of the previous period. */
  readonly before: Amount;
  readonly permille: number;
}

export interface Amount {
  readonly usd: string;
  /** Makes the column add up to its total. */
  readonly shown: string;
}

const restKey = '';

/**
 * All rows, rows only of the previous period, and one for the unlisted rest. Each column adds up to
 * its total as shown, in any order.
 */
export function linesOf(spend: SpendRows, before: SpendRows | undefined): readonly Line[] {
  const earlier = new Map(before?.rows.map((row) => [keyOf(row.names), row]));
  const now = spend.rows.map(({ names, sums }) => ({ key: keyOf(names), names, sums }));
  const keys = new Set(now.map(({ key }) => key));
  const ended = [...earlier].flatMap(([key, { names }]) =>
    keys.has(key) ? [] : [{ key, names, sums: undefined }],
  );
  const hasRest = spend.found > spend.rows.length || isMore(before);
  const listed = [...now, ...ended];
  const column = (total: string, amounts: readonly string[]) => {
    const rest = textOf(amounts.reduce((left, usd) => left - picoOf(usd), picoOf(total)));
    const all = [...amounts, ...(hasRest ? [rest] : [])];
    const keysOf = [...listed.map(({ key }) => key), restKey];
    const shown = shownParts(
      all.map((usd, at) => ({ name: keysOf[at] ?? restKey, usd })),
      total,
    );
    return all.map((usd, at) => ({ usd, shown: shown[at] ?? '' }));
  };
  const costs = column(
    spend.total.costUsd,
    listed.map(({ sums }) => sums?.costUsd ?? '0'),
  );
  const estimated = column(
    spend.total.estimatedUsd,
    listed.map(({ sums }) => sums?.estimatedUsd ?? '0'),
  );
  const befores = column(
    before?.total.costUsd ?? '0',
    listed.map(({ key }) => earlier.get(key)?.sums.costUsd ?? '0'),
  );
  const shares = sharesOf(costs.map(({ usd }) => picoOf(usd)));
  const rest = { key: restKey, names: undefined, sums: undefined };
  return [...listed, ...(hasRest ? [rest] : [])].map(({ key, names, sums }, at) => ({
    ...{ key, names },
    counts: names === undefined ? restOf(spend) : (sums ?? none),
    cost: costs[at] ?? nothing,
    estimated: estimated[at] ?? nothing,
    before: befores[at] ?? nothing,
    permille: shares[at] ?? 0,
  }));
}

const nothing: Amount = { usd: '0', shown: '$0.00' };
const none: Counts = {
  ...{ calls: 0, errors: 0, inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 },
  reasoningTokens: 0,
};

function isMore(spend: SpendRows | undefined): boolean {
  return spend !== undefined && spend.found > spend.rows.length;
}

function keyOf(names: readonly string[]): string {
  return names.join('\n');
}

function restOf({ rows, total }: SpendRows): Counts {
  const rest: Record<keyof Counts, number> = { ...none };
  for (const name of counts) {
    rest[name] = rows.reduce((left, { sums }) => left - sums[name], total[name]);
  }
  return rest;
}

/** Tenths of a percent that add up to 100%, by the largest remainder. */
export function sharesOf(parts: readonly bigint[]): readonly number[] {
  const whole = parts.reduce((sum, part) => sum + part, 0n);
  if (whole <= 0n) return parts.map(() => 0);
  const cuts = parts.map((part, at) => ({
    ...{ at, rest: (part * 1_000n) % whole, shown: Number((part * 1_000n) / whole) },
  }));
  let left = cuts.reduce((sum, { shown }) => sum - shown, 1_000);
  for (const cut of cuts.toSorted((a, b) => Number(b.rest - a.rest) || a.at - b.at)) {
    if (left <= 0) break;
    cut.shown += 1;
    left -= 1;
  }
  return cuts.map(({ shown }) => shown);
}

/** The first rows, and one with the shown rest of the others. */
export function cutLines(lines: readonly Line[], max: number): readonly Line[] {
  const hidden = lines.slice(max);
  const [only] = hidden;
  if (only === undefined || hidden.length === 1) return lines;
  const sum = (amountOf: (line: Line) => Amount): Amount => {
    const usd = hidden.reduce((all, line) => all + picoOf(amountOf(line).usd), 0n);
    const shown = hidden.reduce((all, line) => all + picoOf(plain(amountOf(line).shown)), 0n);
    return { usd: textOf(usd), shown: exactUsd(textOf(shown)) };
  };
  const added: Record<keyof Counts, number> = { ...none };
  for (const line of hidden) for (const name of counts) added[name] += line.counts[name];
  return [
    ...lines.slice(0, max),
    {
      ...{ key: restKey, names: undefined, counts: added },
      ...{ cost: sum(({ cost }) => cost), estimated: sum(({ estimated }) => estimated) },
      before: sum(({ before }) => before),
      permille: hidden.reduce((all, { permille }) => all + permille, 0),
    },
  ];
}

function plain(shown: string): string {
  return shown.replaceAll(/[$,]/g, '');
}
