import type { CallFields } from '@model-gateway/contract';
import type { Catalog, CatalogModel } from '../../catalog/catalog.ts';
import type { App } from '../../domain/registered-app.ts';
import type { UnpricedPolicy } from '../../domain/unpriced-policy.ts';
import { type Bound, boundOf, type RequestSize } from './bound.ts';
import { pricingOf } from './pricing.ts';

/** A refusal that no money was looked at for. */
export interface Refusal {
  readonly kind: 'refused';
  readonly code: 'INVALID' | 'USER_REQUIRED' | 'MODEL_NOT_ALLOWED' | 'MODEL_NOT_PRICED';
  readonly message: string;
}

/** A model that may answer a call, and the most that the call can use and cost there. */
export interface Candidate {
  readonly model: CatalogModel;
  readonly bound: Bound;
}

/** A call that may be made, if the ledger has the money for it. */
export interface Admitted extends Candidate {
  readonly kind: 'admitted';
  /** In the order in which they are asked; `model` and `bound` are the first one's. */
  readonly candidates: readonly [Candidate, ...Candidate[]];
}

/**
 * Whether an app may make a call, in the specified order of checks. Source: contract, section 2.
 */
export function admit(parts: {
  readonly app: App;
  readonly request: CallFields;
  readonly size: RequestSize;
  readonly catalog: Catalog;
  /** For apps that do not say themselves what happens to models without a price. */
  readonly unpriced: UnpricedPolicy;
}): Admitted | Refusal {
  const { app, request, size } = parts;
  const model = parts.catalog.model(request.model);
  if (size.images > 0 && !model.images) {
    return refuse(
      'INVALID',
      `messages: the model ${request.model} takes no images; send text, or use a model whose \`images\` is true in GET /v1/models.`,
    );
  }
  if (app.credits !== undefined && request.userId === undefined) {
    return refuse(
      'USER_REQUIRED',
      `userId is missing: the app ${app.name} meters credits, so each call names the user whose wallet pays.`,
    );
  }
  if (app.models !== undefined && !app.models.has(request.model)) {
    return refuse(
      'MODEL_NOT_ALLOWED',
      `The app ${app.name} may not use the model ${request.model}; GET /v1/models lists those it may.`,
    );
  }
  const pricing = pricingOf(app, model, parts);
  if (pricing.kind === 'refused') {
    const why = app.credits === undefined ? 'requires a price' : 'meters credits';
    return refuse(
      'MODEL_NOT_PRICED',
      `The model ${request.model} has no price and the app ${app.name} ${why}; use a priced model, as GET /v1/models lists them, or ask the operator to price this one.`,
    );
  }
  const price = pricing.kind === 'priced' ? pricing.price : undefined;
  const candidate = { model, bound: boundOf(size, model, price) };
  return { ...candidate, kind: 'admitted', candidates: [candidate] };
}

function refuse(code: Refusal['code'], message: string): Refusal {
  return { kind: 'refused', code, message };
}
