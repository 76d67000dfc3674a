import type { CatalogModel } from '../../catalog/catalog.ts';

/** Fields of a request that the gateway does not know, and that some of its models are sent. */
export type PassedFields = Readonly<Record<string, unknown>>;

/** Those that the row of a model lets through; undefined where the request has none. */
export function passedTo(
  { passFields }: Pick<CatalogModel, 'passFields'>,
  passed: PassedFields | undefined,
): PassedFields | undefined {
  if (passed === undefined) return undefined;
  return Object.fromEntries(Object.entries(passed).filter(([name]) => passFields?.has(name)));
}

/** The names of those that it does not. */
export function notPassedTo(
  { passFields }: Pick<CatalogModel, 'passFields'>,
  passed: PassedFields | undefined,
): readonly string[] {
  return Object.keys(passed ?? {}).filter((name) => passFields?.has(name) !== true);
}
