import { outputTokensOf } from '../../../calls/admission/bound.ts';
import { type OperationName, wireOfOperation } from '../../../calls/model/operation.ts';
import type { Catalog, CatalogModel } from '../../../catalog/catalog.ts';
import type { App } from '../../../domain/registered-app.ts';
import { compatibleHeaders } from './header-names.ts';

/** What a request's limit of output is decided by. */
export interface OutputLimits {
  /** Undefined where the request states none. */
  readonly stated: number | undefined;
  /** A model or an alias, whose first model decides then. */
  readonly model: string;
  readonly operation: OperationName;
  readonly app: Pick<App, 'defaultMaxTokens'>;
  /** That of `ingress`. */
  readonly otherwise: number;
}

/**
 * The most tokens that are wanted, and the header that says how many the model was asked for: each
 * model of an alias has a limit of its own.
 */
export function appliedMaxTokens(
  catalog: Pick<Catalog, 'model'>,
  { stated, model, operation, app, otherwise }: OutputLimits,
) {
  const wire = wireOfOperation[operation];
  const first = catalog.model(model, wire);
  const maxTokens = stated ?? first.defaultMaxTokens ?? app.defaultMaxTokens ?? otherwise;
  const headersOf = (servedBy: string | undefined) =>
    headersFor(maxTokens, servedBy === undefined ? first : catalog.model(servedBy, wire));
  return { maxTokens, headersOf };
}

function headersFor(maxTokens: number, model: CatalogModel) {
  return { [compatibleHeaders.maxTokensApplied]: String(outputTokensOf(maxTokens, model)) };
}
