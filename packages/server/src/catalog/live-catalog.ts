import type { Catalog } from './catalog.ts';

/** A catalog in whose place a reload puts another one. A call keeps the rows that it began with. */
export interface LiveCatalog extends Catalog {
  replace(next: Catalog): void;
}

/** It is `first` until it is replaced. */
export function createLiveCatalog(first: Catalog): LiveCatalog {
  // Its methods belong to the catalog in force, so a call takes no additional step.
  const live = {
    ...first,
    replace: (next: Catalog) => void Object.assign(live, next),
  };
  return live;
}
