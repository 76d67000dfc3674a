import type { Operation } from '../../src/books/operations.ts';
import { nextTurn } from '../../src/lib/clock.ts';
import { type OperationResult, type Store, StoreError } from '../../src/store/port/port.ts';

/** A store whose commits end when, and as, the test decides. */
export interface ScriptedStore extends Store {
  /** The call ids of each batch that was committed, or is being committed. */
  readonly batches: readonly (readonly string[])[];
  isCommitting(): boolean;
  /** Waits until a commit runs. */
  begun(): Promise<void>;
  /** Ends the current commit, or the next one. Each operation succeeds, except the named ones. */
  end(failures?: Readonly<Record<string, 'invalid' | 'conflict' | 'unavailable'>>): Promise<void>;
  /** Ends it with an error: the outcome of its batch is unknown. */
  fail(message: string): Promise<void>;
}

/** Creates a store that commits nothing by itself. */
export function createScriptedStore(): ScriptedStore {
  const batches: (readonly string[])[] = [];
  let running: PromiseWithResolvers<readonly OperationResult[]> | undefined;
  let batch: readonly Operation[] = [];
  return {
    kind: 'sqlite',
    isShared: false,
    batches,
    begun,
    commit(operations) {
      if (running !== undefined) throw new Error('two commits at once');
      batches.push(operations.map(callIdOf));
      batch = operations;
      running = Promise.withResolvers();
      return running.promise;
    },
    async end(failures = {}) {
      await begun();
      const results = batch.map((operation): OperationResult => {
        const kind = failures[callIdOf(operation)];
        if (kind === undefined) return { ok: true, outcome: { kind: 'reserved' } };
        return { ok: false, kind, error: `${callIdOf(operation)} is ${kind}` };
      });
      await done((commit) => commit.resolve(results));
    },
    fail: (message) => done((commit) => commit.reject(new StoreError(message))),
    read: () => Promise.reject(new StoreError('a scripted store is not read')),
    readForOperator: () => Promise.reject(new StoreError('a scripted store is not read')),
    write: () => Promise.reject(new StoreError('a scripted store is not written')),
    isCommitting: () => running !== undefined,
    close: async () => undefined,
  };

  async function begun() {
    for (let turn = 0; running === undefined; turn++) {
      if (turn === turnsMax) throw new Error('no commit begins');
      await nextTurn();
    }
  }

  async function done(end: (commit: PromiseWithResolvers<readonly OperationResult[]>) => void) {
    await begun();
    const commit = running;
    running = undefined;
    if (commit !== undefined) end(commit);
    await nextTurn();
  }
}

/** A queue lets a turn pass before it commits. More turns would be a wait. */
const turnsMax = 4;

function callIdOf(operation: Operation): string {
  if (operation.kind === 'top-up') return operation.reference;
  return 'facts' in operation ? operation.facts.callId : operation.callId;
}
