import type { Catalog } from './catalog.ts';

/** A reload replaces it. A call keeps the rows that it began with. */
export interface LiveCatalog extends Catalog {
  replace(next: Catalog): void;
}

export function createLiveCatalog(first: Catalog): LiveCatalog {
  // Its methods belong to the catalog in force, so a call takes no additional step.
  const live = {
    ...first,
    replace: (next: Catalog) => void Object.assign(live, next),
  };
  return live;
}
