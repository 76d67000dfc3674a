import type { Catalog } from './catalog.ts';

/** A reload replaces the catalog. A call keeps the rows that it began with. */
export interface LiveCatalog extends Catalog {
  replace(next: Catalog): void;
}

export function createLiveCatalog(first: Catalog): LiveCatalog {
  // Copies the methods of the current catalog, so a call needs no additional step.
  const live = {
    ...first,
    replace: (next: Catalog) => void Object.assign(live, next),
  };
  return live;
}
