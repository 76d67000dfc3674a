import { outputTokensOf } from '../../../calls/admission/bound.ts';
import { type OperationName, wireOfOperation } from '../../../calls/model/operation.ts';
import type { Catalog, CatalogModel } from '../../../catalog/catalog.ts';
import type { App } from '../../../domain/registered-app.ts';
import { compatibleHeaders } from './header-names.ts';

export interface OutputLimits {
  readonly requested: number | undefined;
  readonly model: string;
  readonly operation: OperationName;
  readonly app: Pick<App, 'defaultMaxTokens'>;
  readonly otherwise: number;
}

/** Each model of an alias has its own limit, so the header reports the applied one. */
export function appliedMaxTokens(
  catalog: Pick<Catalog, 'model'>,
  { requested, model, operation, app, otherwise }: OutputLimits,
) {
  const wire = wireOfOperation[operation];
  const first = catalog.model(model, wire);
  const maxTokens = requested ?? first.defaultMaxTokens ?? app.defaultMaxTokens ?? otherwise;
  const headersOf = (servedBy: string | undefined) =>
    headersFor(maxTokens, servedBy === undefined ? first : catalog.model(servedBy, wire));
  return { maxTokens, headersOf };
}

function headersFor(maxTokens: number, model: CatalogModel) {
  return { [compatibleHeaders.maxTokensApplied]: String(outputTokensOf(maxTokens, model)) };
}
