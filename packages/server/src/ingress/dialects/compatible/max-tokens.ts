import { outputTokensOf } from '../../../calls/admission/bound.ts';
import type { Catalog, CatalogModel } from '../../../catalog/catalog.ts';
import type { App } from '../../../domain/registered-app.ts';
import { compatibleHeaders } from './header-names.ts';

/** What a request's limit of output is decided by. */
export interface OutputLimits {
  /** Undefined where the request states none. */
  readonly stated: number | undefined;
  /** A model or an alias, whose first model decides then. */
  readonly model: string;
  readonly app: Pick<App, 'defaultMaxTokens'>;
  /** That of `ingress`. */
  readonly otherwise: number;
}

/**
 * The most tokens that are wanted, and the header that says how many the model was asked for: each
 * model of an alias has a limit of its own.
 */
export function appliedMaxTokens(
  catalog: Pick<Catalog, 'alias' | 'model'>,
  { stated, model, app, otherwise }: OutputLimits,
) {
  const first = catalog.alias(model)?.models[0] ?? catalog.model(model);
  const maxTokens = stated ?? first.defaultMaxTokens ?? app.defaultMaxTokens ?? otherwise;
  const headersOf = (servedBy: string | undefined) =>
    headersFor(maxTokens, servedBy === undefined ? first : catalog.model(servedBy));
  return { maxTokens, headersOf };
}

function headersFor(maxTokens: number, model: CatalogModel) {
  return { [compatibleHeaders.maxTokensApplied]: String(outputTokensOf(maxTokens, model)) };
}
