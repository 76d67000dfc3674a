import type { Catalog } from './catalog.ts';

/** A catalog in whose place a reload puts another one. A call keeps the rows that it began with. */
export interface LiveCatalog extends Catalog {
  replace(next: Catalog): void;
}

/** It is `first` until it is replaced. */
export function createLiveCatalog(first: Catalog): LiveCatalog {
  // Its methods are those of the catalog in force, so the path of a call is no longer.
  const live = {
    ...first,
    replace: (next: Catalog) => void Object.assign(live, next),
  };
  return live;
}
