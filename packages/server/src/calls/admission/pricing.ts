import type { Catalog, CatalogModel, Price } from '../../catalog/catalog.ts';
import type { App } from '../../domain/registered-app.ts';
import type { UnpricedPolicy } from '../../domain/unpriced-policy.ts';

export type Pricing =
  | { readonly kind: 'priced'; readonly price: Price }
  | { readonly kind: 'free' }
  | { readonly kind: 'refused' };

export interface PricingRules {
  readonly catalog: Pick<Catalog, 'highestPrice'>;
  readonly unpriced: UnpricedPolicy;
}

/**
 * A wallet is never charged an unknown amount, so an app with credits is always rejected for a
 * model without a price. ADR 0010.
 */
export function pricingOf(
  app: Pick<App, 'credits' | 'unpriced'>,
  model: CatalogModel,
  rules: PricingRules,
): Pricing {
  if (model.price !== undefined) return { kind: 'priced', price: model.price };
  const policy = app.credits === undefined ? (app.unpriced ?? rules.unpriced) : 'refuse';
  if (policy === 'free') return { kind: 'free' };
  const highestPrice = policy === 'dearest' ? rules.catalog.highestPrice(model) : undefined;
  return highestPrice === undefined ? { kind: 'refused' } : { kind: 'priced', price: highestPrice };
}
