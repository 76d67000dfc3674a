import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import type { Operation } from '../../books/operations.ts';
import type { OperationResult } from '../port/port.ts';
import { unpackOperation } from './client.ts';
import type { SqliteEngine } from './engine.ts';
import { sqliteText } from './file/damage.ts';
import type { Ask, PackedResults, Reply, Usual } from './messages.ts';

interface Asked {
  readonly by: MessagePort;
  readonly ask: Ask;
}

type Commit = Extract<Ask, { kind: 'commit' }>;

/**
 * Answers what is asked through each port in its order, until the first one says to close; `tidy`
 * does what is due and is not waited for.
 */
export function serveAsks(
  engine: SqliteEngine,
  parts: { readonly first: MessagePort; readonly tidy: () => void },
): void {
  const { first, tidy } = parts;
  const ports = new Set<MessagePort>();
  hear(first);

  function hear(port: MessagePort) {
    ports.add(port);
    port.on('message', (ask: Ask) => answerAll([{ by: port, ask }, ...askedBeside(port)]));
    port.on('close', () => ports.delete(port));
  }

  /** What the other threads ask next, so that one transaction is committed for them all. */
  function askedBeside(port: MessagePort): readonly Asked[] {
    if (ports.size === 1) return [];
    return [...ports].flatMap((by) => {
      const received: { message: Ask } | undefined =
        by === port ? undefined : receiveMessageOnPort(by);
      return received === undefined ? [] : [{ by, ask: received.message }];
    });
  }

  function answerAll(asked: readonly Asked[]) {
    commitTogether(engine, asked.filter(isCommit));
    for (const { by, ask } of asked) {
      if (ask.kind === 'commit') continue;
      if (ask.kind === 'join') hear(ask.port);
      by.postMessage(answer(engine, ask, by === first));
      if (ask.kind !== 'close') continue;
      // Without the first port the thread has nothing more to do, and ends.
      for (const port of by === first ? ports : [by]) port.close();
      ports.delete(by);
    }
    if (ports.has(first)) tidy();
  }
}

function isCommit(asked: Asked): asked is Asked & { readonly ask: Commit } {
  return asked.ask.kind === 'commit';
}

/** One transaction for several threads: one wait for the disk. */
function commitTogether(
  engine: SqliteEngine,
  asked: readonly (Asked & { readonly ask: Commit })[],
) {
  if (asked.length === 0) return;
  const commits = asked.map(({ by, ask: { id, batch } }) => {
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

/** A throwing one has changed nothing: all its askers get the error. */
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

function answer(engine: SqliteEngine, ask: Exclude<Ask, Commit>, isFirst: boolean): Reply {
  const { id } = ask;
  try {
    switch (ask.kind) {
      case 'read':
        return { id, kind: 'rows', rows: engine.read(ask.statement) };
      case 'write':
        return { id, kind: 'written', counts: engine.write(ask.statements) };
      case 'acquire':
        return { id, kind: 'granted', grants: engine.acquire(ask.requests, ask.time) };
      case 'look':
        return { id, kind: 'seen', origin: engine.epochs.look() };
      case 'begin':
        engine.epochs.begin(ask.storeId);
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

/** Leaves out made reservations and settlements without a conclusion. */
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
