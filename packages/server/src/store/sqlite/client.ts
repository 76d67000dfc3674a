import assert from 'node:assert';
import { MessageChannel, type MessagePort, type Worker } from 'node:worker_threads';
import type { Operation, Reserve, Settle } from '../../books/operations.ts';
import type { Log } from '../../lib/log.ts';
import { type OperationResult, type Store, StoreError } from '../port/port.ts';
import type { OnLines } from '../schema/audit-chain.ts';
import { createPacker } from '../schema/describe.ts';
import type { Description, PartTypes } from '../schema/description.ts';
import { callEnd, callFacts } from '../schema/tables.ts';
import type {
  LinesMessage,
  PackedOperation,
  PackedResults,
  Reply,
  StoreRequest,
  Trouble,
  Usual,
} from './messages.ts';

type WithoutId<T> = T extends unknown ? Omit<T, 'id'> : never;
type Expected<Kind extends Reply['kind']> = Extract<Reply, { kind: Kind }>;

interface Parts {
  readonly onDeath: (error: StoreError) => void;
  readonly onLines?: OnLines | undefined;
  readonly log: Log;
}

export interface Client extends Omit<Store, 'isShared' | 'readForOperator' | 'acquire' | 'share'> {
  acquire: NonNullable<Store['acquire']>;
  /** A port for another thread's own client. */
  join(): Promise<MessagePort>;
}

/**
 * The worker's thread has opened the database. When the thread ends by itself, all pending requests
 * fail, then `onDeath` is called.
 */
export function createClient(worker: Worker | MessagePort, parts: Parts): Client {
  const { send, end } = createRequests(worker, parts);
  return {
    kind: 'sqlite',
    async commit(batch) {
      const packed = batch.map(packOperation);
      const { results } = await send('committed', { kind: 'commit', batch: packed });
      return unpackResults(batch, results);
    },
    async read({ sql, values, map }) {
      return map((await send('rows', { kind: 'read', statement: { sql, values } })).rows);
    },
    async write(statements) {
      return (await send('written', { kind: 'write', statements })).counts;
    },
    async acquire(requests, time) {
      assert(time !== undefined, 'an embedded store does not have its own clock');
      return (await send('granted', { kind: 'acquire', requests, time })).grants;
    },
    async join() {
      const { port1, port2 } = new MessageChannel();
      await send('done', { kind: 'join', port: port2 }, [port2]);
      return port1;
    },
    epochs: {
      readOrigin: async () => (await send('seen', { kind: 'look' })).origin,
      begin: async (storeId) => void (await send('done', { kind: 'begin', storeId })),
      end: async () => void (await send('done', { kind: 'end' })),
    },
    close: end,
  };
}

function createRequests(worker: Worker | MessagePort, { onDeath, onLines, log }: Parts) {
  const waiting = new Map<number, (reply: Reply) => void>();
  let nextId = 0;
  let isClosed = false;
  worker.on('message', (reply: Reply | Usual | Trouble | LinesMessage) => {
    const message = typeof reply === 'number' ? { ...usual, id: reply } : reply;
    if (message.kind === 'lines') return onLines?.(message.lines);
    if (message.kind === 'trouble') {
      log.error({ error: message.error }, 'maintenance of the SQLite file failed');
      return;
    }
    const settle = waiting.get(message.id);
    waiting.delete(message.id);
    settle?.(message);
  });
  worker.on('error', (error) => die(`the store's thread failed: ${String(error)}`));
  for (const end of ['exit', 'close']) worker.on(end, () => die("the store's thread has ended"));
  return {
    send,
    async end() {
      if (isClosed) return;
      const closed = send('closed', { kind: 'close' });
      isClosed = true;
      await closed;
    },
  };

  function send<Kind extends Reply['kind']>(
    expected: Kind,
    request: WithoutId<StoreRequest>,
    moved: readonly MessagePort[] = [],
  ): Promise<Expected<Kind>> {
    if (isClosed) return Promise.reject(new StoreError('the store is closed'));
    return new Promise((resolve, reject) => {
      const id = nextId++;
      // A request that cannot be sent throws here, and only this request fails.
      worker.postMessage({ ...request, id }, [...moved]);
      waiting.set(id, (reply) => {
        if (isKind(reply, expected)) resolve(reply);
        else
          reject(
            new StoreError(reply.kind === 'failed' ? reply.error : `unexpected ${reply.kind}`),
          );
      });
    });
  }

  function die(message: string) {
    if (isClosed) return;
    isClosed = true;
    for (const [id, settle] of waiting) settle({ id, kind: 'failed', error: message });
    waiting.clear();
    onDeath(new StoreError(message));
  }
}

const usual = { kind: 'committed', results: [] } as const;

function isKind<Kind extends Reply['kind']>(reply: Reply, kind: Kind): reply is Expected<Kind> {
  return reply.kind === kind;
}

const reserved: OperationResult = { ok: true, outcome: { kind: 'reserved' } };
const settled: OperationResult = {
  ok: true,
  outcome: { kind: 'settled', isOrphan: false, badOutputs: 0, takenOverBy: undefined },
};

export function unpackResults(
  batch: readonly Operation[],
  packed: PackedResults,
): readonly OperationResult[] {
  const results = batch.map(({ kind }) => (kind === 'reserve' ? reserved : settled));
  for (const [index, result] of packed) results[index] = result;
  return results;
}

type UsualSettle = Omit<Settle, 'answeredBy' | 'attempts' | 'line' | 'isUnclaimed'>;

/** A reservation between threads, except a takeover of a key. */
const describeReserve: Description<Omit<Reserve, 'ends'>, PartTypes> = (operation, as) => ({
  kind: as.value(operation.kind),
  facts: callFacts(operation.facts, as),
  amount: as.big(operation.amount),
  wallet: as.value(operation.wallet),
  scopes: as.value(operation.scopes),
  budgetsRevision: as.big(operation.budgetsRevision),
  isSpent: as.value(operation.isSpent),
  idempotency: as.value(operation.idempotency),
  instanceId: as.text(operation.instanceId),
  expiresAt: as.int(operation.expiresAt),
  now: as.int(operation.now),
});

const describeSettle: Description<UsualSettle, PartTypes> = (operation, as) => ({
  kind: as.value(operation.kind),
  facts: callFacts(operation.facts, as),
  end: callEnd(operation.end, as),
  walletCost: as.big(operation.walletCost),
  outcome: as.value(operation.outcome),
  result: as.value(operation.result),
  answerExpiresAt: as.int(operation.answerExpiresAt),
});

const reserves = createPacker(describeReserve);
const settles = createPacker(describeSettle);

export function packOperation(operation: Operation): PackedOperation {
  if (operation.kind === 'reserve') {
    return operation.ends === undefined ? reserves.pack(operation) : operation;
  }
  if (operation.kind !== 'settle') return operation;
  const { answeredBy, attempts, line, isUnclaimed } = operation;
  const isRare = (answeredBy ?? attempts ?? line ?? isUnclaimed) !== undefined;
  return isRare ? operation : settles.pack(operation);
}

export function unpackOperation(packed: PackedOperation): Operation {
  if ('kind' in packed) return packed;
  return packed[0] === 'reserve' ? reserves.unpack(packed) : settles.unpack(packed);
}
