import type { OperationResult, Query, Store } from '../../../src/store/port/port.ts';
import { bumpRevision } from '../../../src/store/queries/operator-statements.ts';
import { type BrokenStore, createBrokenStore } from '../../support/broken-store.ts';
import type { SharedStack } from '../../support/shared-stack.ts';
import { openPayingHouse } from './paying-house.ts';

/** A service in which every failure can be triggered. */
export interface ErrorHouse extends SharedStack {
  readonly broken: Pick<BrokenStore, 'fail'>;
  /** From now on another call locks every wallet. */
  lockWallets(): void;
  /** From now on this app is bound to the default project. */
  takeProject(app: string): Promise<void>;
  /** Everything works again. */
  mend(): Promise<void>;
}

/** Longer bodies are rejected. */
export const bodyBytesMax = 20_000;

const rows = `
  - { id: free-chat, platform: sandbox, upstreamModel: sim-unpriced }
  - { id: free-responses, platform: sandbox, upstreamModel: sim-unpriced, pathFamily: v1-responses }
  - { id: free-messages, platform: sandbox, upstreamModel: sim-unpriced, pathFamily: anthropic-v1-messages }
  - { id: short-embeddings, platform: sandbox, upstreamModel: sim-embed-short, kind: embeddings, inputUsdPerMillion: "0.02" }
`;

/** Opens one before the tests of a file, and closes it after them. */
export function openErrorHouse(): () => ErrorHouse {
  const broken = createBrokenStore();
  let isLocked = false;
  let homeless: string | undefined;
  const house = openPayingHouse('sqlite', {
    more: rows,
    limits: `{ drainMs: 50000, bodyBytes: ${bodyBytesMax} }`,
    wrapStore: (store) =>
      broken.wrap(
        sharing(
          locking(store, () => isLocked),
          () => homeless,
        ),
      ),
  });
  return () => ({ ...house(), broken, lockWallets, takeProject, mend });

  function lockWallets() {
    isLocked = true;
  }

  async function takeProject(app: string | undefined) {
    const { stack } = house();
    homeless = app;
    // A revision that names no rows makes the replica read all of them again.
    await stack.clock.run(stack.admin.store.write([{ sql: bumpRevision, values: [] }]));
    await stack.clock.run(stack.service.registry.refresh());
  }

  async function mend() {
    broken.mend();
    isLocked = false;
    if (homeless !== undefined) await takeProject(undefined);
  }
}

/** A store whose wallets are locked by another call. */
function locking(store: Store, isLocked: () => boolean): Store {
  const busy: OperationResult = { ok: false, kind: 'conflict', error: 'a row is locked' };
  return {
    ...store,
    async commit(batch) {
      if (!isLocked()) return store.commit(batch);
      const rest = await store.commit(batch.filter(({ kind }) => kind !== 'reserve'));
      const results = [...rest];
      return batch.map(({ kind }) => (kind === 'reserve' ? busy : (results.shift() ?? busy)));
    },
  };
}

/** A store that binds one app to the default project. */
function sharing(store: Store, homeless: () => string | undefined): Store {
  const shared = <T>(query: Query<T>): Query<T> => ({
    ...query,
    map: (found) =>
      query.map(
        found.map((row) => (row.app === homeless() ? { ...row, project_id: 'Default' } : row)),
      ),
  });
  return {
    ...store,
    read: (query) => store.read(query.sql.includes('project_binding') ? shared(query) : query),
    readForOperator: (query) =>
      store.readForOperator(query.sql.includes('project_binding') ? shared(query) : query),
  };
}
