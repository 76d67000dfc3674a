import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import type { Operation } from '../../books/operations.ts';
import type { OperationResult } from '../port/port.ts';
import { unpackOperation } from './client.ts';
import type { SqliteEngine } from './engine.ts';
import { sqliteText } from './file/damage.ts';
import type { PackedResults, Reply, StoreRequest, Usual } from './messages.ts';

interface ReceivedRequest {
  readonly by: MessagePort;
  readonly request: StoreRequest;
}

type Commit = Extract<StoreRequest, { kind: 'commit' }>;

/**
 * Answers each port's requests in order, until the first port closes. `tidy` does maintenance;
 * responses do not wait for it.
 */
export function serveRequests(
  engine: SqliteEngine,
  parts: { readonly first: MessagePort; readonly tidy: () => void },
): void {
  const { first, tidy } = parts;
  const ports = new Set<MessagePort>();
  listen(first);

  function listen(port: MessagePort) {
    ports.add(port);
    port.on('message', (request: StoreRequest) =>
      answerAll([{ by: port, request }, ...requestsOfOthers(port)]),
    );
    port.on('close', () => ports.delete(port));
  }

  /** The other threads' next requests, so one transaction commits them all. */
  function requestsOfOthers(port: MessagePort): readonly ReceivedRequest[] {
    if (ports.size === 1) return [];
    return [...ports].flatMap((by) => {
      const received: { message: StoreRequest } | undefined =
        by === port ? undefined : receiveMessageOnPort(by);
      return received === undefined ? [] : [{ by, request: received.message }];
    });
  }

  function answerAll(requests: readonly ReceivedRequest[]) {
    commitTogether(engine, requests.filter(isCommit));
    for (const { by, request } of requests) {
      if (request.kind === 'commit') continue;
      if (request.kind === 'join') listen(request.port);
      by.postMessage(answer(engine, request, by === first));
      if (request.kind !== 'close') continue;
      // Without the first port, the thread has no more work, and ends.
      for (const port of by === first ? ports : [by]) port.close();
      ports.delete(by);
    }
    if (ports.has(first)) tidy();
  }
}

function isCommit(
  received: ReceivedRequest,
): received is ReceivedRequest & { readonly request: Commit } {
  return received.request.kind === 'commit';
}

/** One transaction for several threads, so one wait for the disk. */
function commitTogether(
  engine: SqliteEngine,
  requests: readonly (ReceivedRequest & { readonly request: Commit })[],
) {
  if (requests.length === 0) return;
  const commits = requests.map(({ by, request: { id, batch } }) => {
    return { by, id, operations: batch.map(unpackOperation) };
  });
  const results = commit(
    engine,
    commits.flatMap(({ operations }) => operations),
  );
  let from = 0;
  for (const { by, id, operations } of commits) {
    const own = results.slice(from, from + operations.length);
    from += operations.length;
    by.postMessage(replyTo(id, operations, own));
  }
}

/** A failed commit has changed nothing: all its callers get the error. */
function commit(
  engine: SqliteEngine,
  operations: readonly Operation[],
): readonly OperationResult[] {
  try {
    return engine.commit(operations);
  } catch (error) {
    const failed = { ok: false, kind: 'unavailable', error: sqliteText(error) } as const;
    return operations.map(() => failed);
  }
}

function replyTo(
  id: number,
  operations: readonly Operation[],
  results: readonly OperationResult[],
): Reply | Usual {
  const packed = packResults(operations, results);
  return packed.length === 0 ? id : { id, kind: 'committed', results: packed };
}

function answer(
  engine: SqliteEngine,
  request: Exclude<StoreRequest, Commit>,
  isFirst: boolean,
): Reply {
  const { id } = request;
  try {
    switch (request.kind) {
      case 'read':
        return { id, kind: 'rows', rows: engine.read(request.statement) };
      case 'write':
        return { id, kind: 'written', counts: engine.write(request.statements) };
      case 'acquire':
        return { id, kind: 'granted', grants: engine.acquire(request.requests, request.time) };
      case 'look':
        return { id, kind: 'seen', origin: engine.epochs.readOrigin() };
      case 'begin':
        engine.epochs.begin(request.storeId);
        return { id, kind: 'done' };
      case 'end':
        engine.epochs.end();
        return { id, kind: 'done' };
      case 'join':
        return { id, kind: 'done' };
      case 'close':
        if (isFirst) engine.close();
        return { id, kind: 'closed' };
    }
  } catch (error) {
    return { id, kind: 'failed', error: sqliteText(error) };
  }
}

/** Omits usual results: created reservations, and settlements without special outcomes. */
export function packResults(
  batch: readonly Operation[],
  results: readonly OperationResult[],
): PackedResults {
  const packed: [number, OperationResult][] = [];
  for (const [index, result] of results.entries()) {
    if (!isUsual(batch[index]?.kind, result)) packed.push([index, result]);
  }
  return packed;
}

function isUsual(kind: Operation['kind'] | undefined, result: OperationResult): boolean {
  if (!result.ok) return false;
  const { outcome } = result;
  if (kind === 'reserve') return outcome.kind === 'reserved';
  if (outcome.kind !== 'settled' || outcome.isOrphan) return false;
  return outcome.badOutputs === 0 && outcome.takenOverBy === undefined;
}
