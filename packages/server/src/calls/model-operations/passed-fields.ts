import type { CatalogModel } from '../../catalog/catalog.ts';

/** Not interpreted by the gateway; sent to some models. */
export type PassedFields = Readonly<Record<string, unknown>>;

export function passedTo(
  { passFields }: Pick<CatalogModel, 'passFields'>,
  passed: PassedFields | undefined,
): PassedFields | undefined {
  if (passed === undefined) return undefined;
  return Object.fromEntries(Object.entries(passed).filter(([name]) => passFields?.has(name)));
}

export function notPassedTo(
  { passFields }: Pick<CatalogModel, 'passFields'>,
  passed: PassedFields | undefined,
): readonly string[] {
  return Object.keys(passed ?? {}).filter((name) => passFields?.has(name) !== true);
}
