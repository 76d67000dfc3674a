import type { KeyInUse } from '@model-gateway/server/operations/documents';

export function nextOf(old: KeyInUse, keys: readonly KeyInUse[]): KeyInUse | undefined {
  const line = old.rotatedFrom ?? old.id;
  const later = keys.filter(
    ({ id, rotatedFrom, createdAt }) =>
      id !== old.id && rotatedFrom === line && createdAt >= old.createdAt,
  );
  return later.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt))[0];
}
