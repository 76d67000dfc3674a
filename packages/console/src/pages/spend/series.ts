import type { Spend } from '@model-gateway/server/operations/documents';
import { colorsOf, others, seriesMax } from '../../parts/series.ts';
import { picoOf, sumUsd } from '../../text/money.ts';

export interface Series {
  /** From the bottom up: highest first, others last. */
  readonly names: readonly string[];
  readonly isSplit: boolean;
  readonly amountsOf: (day: Spend['days'][number]) => Readonly<Record<string, string>>;
  /** The CSS class of a name in the table. */
  readonly colorOf: (name: string) => string;
}

const whole = 'Cost';

/** For users, each day is one amount. */
export function seriesOf({ days }: Pick<Spend, 'days'>): Series {
  const sums = new Map<string, bigint>();
  let hasOthers = false;
  for (const { name, costUsd } of days.flatMap(({ parts }) => parts)) {
    if (name === null) hasOthers = true;
    else sums.set(nameOf(name), (sums.get(nameOf(name)) ?? 0n) + picoOf(costUsd));
  }
  const isSplit = sums.size > 0 || hasOthers;
  if (!isSplit) {
    const amountsOf = ({ costUsd }: Spend['days'][number]) => ({ [whole]: costUsd });
    return { names: [whole], isSplit, amountsOf, colorOf: () => 's1' };
  }
  const top = [...sums].sort(bySize).slice(0, seriesMax);
  const shown = new Set(top.map(([name]) => name));
  const names = [...shown, ...(hasOthers || sums.size > shown.size ? [others] : [])];
  const colors = colorsOf(names);
  return {
    ...{ names, isSplit },
    amountsOf: ({ parts }) => {
      const seriesName = (name: string | null) =>
        name !== null && shown.has(nameOf(name)) ? nameOf(name) : others;
      const byName = Map.groupBy(parts, ({ name }) => seriesName(name));
      return Object.fromEntries(
        [...byName].map(([name, of]) => [name, sumUsd(of.map(({ costUsd }) => costUsd))]),
      );
    },
    colorOf: (name) => colors.get(nameOf(name)) ?? 's7',
  };
}

/** An empty name means a call without one. */
export function nameOf(name: string): string {
  return name === '' ? 'none' : name;
}

function bySize([one, a]: readonly [string, bigint], [other, b]: readonly [string, bigint]) {
  if (a !== b) return a > b ? -1 : 1;
  return one < other ? -1 : 1;
}
