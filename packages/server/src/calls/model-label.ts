import type { CatalogModel } from '../catalog/catalog.ts';
import { otherModels } from '../ledger/usage-names.ts';

/** A model's name in metrics, of which there are few: `other` for one that no catalog row names. */
export function modelLabelOf({ isListed, id }: CatalogModel): string {
  return isListed ? id : otherModels;
}
