import { useLocation } from 'preact-iso';
import { withQuery } from '../data/with-query.ts';

export interface PageOf<Row> {
  readonly rows: readonly Row[];
  /** The number of the first row, from 1. */
  readonly first: number;
  readonly count: number;
  /** Cursors; an empty one is the start. */
  readonly before: string | undefined;
  readonly next: string | undefined;
}

const pageRows = 50;

/** The rows after the cursor's row; the start where no row has it. */
export function pageAfter<Row>(
  all: readonly Row[],
  keyOf: (row: Row) => string,
  after: string | undefined,
): PageOf<Row> {
  const start = after === undefined ? 0 : all.findIndex((row) => keyOf(row) === after) + 1;
  const cursorAt = (index: number) => {
    const row = all[index - 1];
    return row === undefined ? '' : keyOf(row);
  };
  return {
    ...{ rows: all.slice(start, start + pageRows), first: start + 1, count: all.length },
    before: start === 0 ? undefined : cursorAt(Math.max(0, start - pageRows)),
    next: start + pageRows < all.length ? cursorAt(start + pageRows) : undefined,
  };
}

interface PagerProps {
  readonly label: string;
  readonly of: PageOf<unknown>;
  /** The cursor's parameter in the address. */
  readonly parameter?: string;
}

export function Pager({ label, of, parameter = 'after' }: PagerProps) {
  const { path, query } = useLocation();
  const { rows, first, count, before, next } = of;
  const to = (cursor: string) => withQuery(path, { ...query, [parameter]: cursor });
  if (before === undefined && next === undefined) return null;
  const [from, until, all] = [first, first + rows.length - 1, count].map((each) =>
    each.toLocaleString('en'),
  );
  return (
    <nav class="row" aria-label={label}>
      {before !== undefined && (
        <a class="button small" href={to(before)}>
          Previous
        </a>
      )}
      <span>
        {from}–{until} of {all}
      </span>
      {next !== undefined && (
        <a class="button small" href={to(next)}>
          Next
        </a>
      )}
    </nav>
  );
}
