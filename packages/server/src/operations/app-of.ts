import { selectRunsOfId } from '../store/queries/runs.ts';
import { callOrNone, noSuchCall } from './calls/find-calls.ts';
import { type AdminError, unlessUnknown } from './context/admin-error.ts';
import type { AdminContext } from './context/context.ts';
import type { OwnedKind } from './context/session.ts';
import { keyRow, noSuchKey } from './keys/keys.ts';
import { noSuchRun } from './runs/operations.ts';

interface Kind {
  readonly appOf: (context: AdminContext, id: string) => Promise<string | undefined>;
  readonly missing: (id: string) => AdminError;
}

const kinds = {
  call: {
    appOf: async (context, id) => (await callOrNone(context, id))?.app,
    missing: noSuchCall,
  },
  key: {
    async appOf(context, id) {
      const row = await unlessUnknown(keyRow(context, id));
      return row?.parsed?.app ?? row?.customerId;
    },
    missing: noSuchKey,
  },
  run: {
    async appOf({ store }, id) {
      const [run] = await store.read(selectRunsOfId(id));
      return run?.app;
    },
    missing: noSuchRun,
  },
} as const satisfies Readonly<Record<OwnedKind, Kind>>;

export function appOf(
  context: AdminContext,
  kind: OwnedKind,
  id: string,
): Promise<string | undefined> {
  return kinds[kind].appOf(context, id);
}

/** Returns the same error for an unknown id and a hidden one. */
export function noSuch(kind: OwnedKind, id: string): AdminError {
  return kinds[kind].missing(id);
}
