import type { CatalogModel } from '../../../catalog/catalog.ts';
import type { App } from '../../../domain/registered-app.ts';
import { compatibleHeaders } from './header-names.ts';

/** What a request's limit of output is decided by. */
export interface OutputLimits {
  /** Undefined where the request states none. */
  readonly stated: number | undefined;
  readonly model: Pick<CatalogModel, 'defaultMaxTokens' | 'maxOutputTokens'>;
  readonly app: Pick<App, 'defaultMaxTokens'>;
  /** That of `ingress`. */
  readonly otherwise: number;
}

/** The most tokens that a model is asked for, which are held; and the header that says so. */
export function appliedMaxTokens({ stated, model, app, otherwise }: OutputLimits) {
  const wanted = stated ?? model.defaultMaxTokens ?? app.defaultMaxTokens ?? otherwise;
  const maxTokens = Math.min(wanted, model.maxOutputTokens ?? wanted);
  return { maxTokens, headers: { [compatibleHeaders.maxTokensApplied]: String(maxTokens) } };
}
