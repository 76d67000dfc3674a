import type { Operation } from '../../src/books/operations.ts';
import { type OperationResult, type Store, StoreError } from '../../src/store/port/port.ts';
import type { Seeded } from './seeded.ts';

/** A bug that the simulation must find: it changes the operations that reach the store. */
export type PlantedBug = (
  batch: readonly Operation[],
  commit: Store['commit'],
) => Promise<readonly OperationResult[]>;

/** A store that fails before it acts, or loses its response after it has acted. */
export function troubledStore(store: Store, seeded: Seeded, bug: PlantedBug | undefined): Store {
  const commit = bug === undefined ? store.commit : plant(store, bug);
  return {
    ...store,
    async commit(batch) {
      if (seeded.is(0.02)) throw new StoreError('the store is away');
      const results = await commit(batch);
      if (seeded.is(0.02)) throw new StoreError('the store did not say what became of it');
      return results;
    },
  };
}

function plant(store: Store, bug: PlantedBug): Store['commit'] {
  return (batch) => bug(batch, store.commit);
}

const settled: OperationResult = {
  ok: true,
  outcome: { kind: 'settled', isOrphan: false, badOutputs: 0, takenOverBy: undefined },
};

/** The three bugs of ledger, section 8: each affects one operation in three. */
export const plantedBugs: Readonly<Record<string, (seeded: Seeded) => PlantedBug>> = {
  'a settlement is dropped': (seeded) => async (batch, commit) => {
    const isDropped = batch.map(({ kind }) => kind === 'settle' && seeded.is(0.33));
    const kept = await commit(batch.filter((_, index) => !isDropped[index]));
    const left = [...kept];
    return batch.map((_, index) => (isDropped[index] ? settled : (left.shift() ?? settled)));
  },
  'a settlement is booked twice': (seeded) => async (batch, commit) => {
    const doubles = batch.flatMap((operation) =>
      operation.kind === 'settle' && seeded.is(0.33) ? [again(operation)] : [],
    );
    const results = await commit([...batch, ...doubles]);
    return results.slice(0, batch.length);
  },
  'a hold is ignored': () => (batch, commit) =>
    commit(
      batch.map((operation) =>
        operation.kind === 'reserve' ? { ...operation, amount: 0n } : operation,
      ),
    ),
};

function again(operation: Extract<Operation, { kind: 'settle' }>): Operation {
  const callId = `${operation.facts.callId}-again`;
  return { ...operation, facts: { ...operation.facts, callId } };
}
