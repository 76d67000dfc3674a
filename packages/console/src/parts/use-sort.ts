import { useLocation } from 'preact-iso';
import { withQuery } from '../data/with-query.ts';
import type { Column, Sort } from './column.ts';

/** The sort order is in the address, as `sort=-cost`; `-`: descending. */
export function useSort(initial: string): Sort {
  const { query, path, route } = useLocation();
  const sortText = query.sort ?? initial;
  const isDescending = sortText.startsWith('-');
  const by = isDescending ? sortText.slice(1) : sortText;
  return {
    by,
    isDescending,
    change(next) {
      const sort = next === by && isDescending ? next : `-${next}`;
      route(withQuery(path, { ...query, after: undefined, sort }), true);
    },
  };
}

/** Equal rows keep their order, so a list that changes does not jump. */
export function sorted<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  { by, isDescending }: Sort,
): readonly Row[] {
  const value = columns.find(({ id }) => id === by)?.value;
  if (value === undefined) return rows;
  const direction = isDescending ? -1 : 1;
  return rows.toSorted((a, b) => {
    const [one, other] = [value(a), value(b)];
    if (one === other) return 0;
    return one < other ? -direction : direction;
  });
}
