import type { Operation } from '../../books/operations.ts';
import type { OperationResult } from '../port/port.ts';
import { type Asking, createAsking } from './asking.ts';
import type { Bell } from './bell.ts';
import type { SqliteEngine } from './engine.ts';
import { sqliteText } from './file/damage.ts';
import type { Ask, Reply, Usual } from './messages.ts';
import { unpackOperation } from './pack-operation.ts';
import { packResults } from './pack-results.ts';
import { createTray } from './tray.ts';

/** What one thread asks. */
interface Asked {
  readonly by: Asking;
  readonly ask: Ask;
}

type Commit = Extract<Ask, { kind: 'commit' }>;
type Join = Extract<Ask, { kind: 'join' }>;

/**
 * Answers what is asked, of each thread in its order, until the first one says to close; `tidy`
 * does what is due and is not waited for. This thread sleeps while nothing is asked, and not in its
 * event loop, which costs more to be woken in: so nothing here may wait for an event.
 */
export function serveAsks(
  engine: SqliteEngine,
  parts: { readonly bell: Bell; readonly first: Asking; readonly tidy: () => void },
): void {
  const { bell, first, tidy } = parts;
  const asking = new Set([first]);
  while (asking.has(first)) {
    const rung = bell.count();
    const asked = [...asking].flatMap(nextOf);
    if (asked.length === 0) {
      bell.wait(rung);
      continue;
    }
    commitTogether(engine, asked.filter(isCommit));
    for (const { by, ask } of asked) {
      if (ask.kind === 'commit') continue;
      if (ask.kind === 'close') asking.delete(by);
      if (ask.kind === 'join') asking.add(asksOf(ask, bell));
      by.reply(answer(engine, ask, by === first));
      if (ask.kind === 'close') by.end();
    }
    if (asking.has(first)) tidy();
  }
}

function nextOf(by: Asking): readonly Asked[] {
  const ask = by.next();
  return ask === undefined ? [] : [{ by, ask }];
}

function isCommit(asked: Asked): asked is Asked & { readonly ask: Commit } {
  return asked.ask.kind === 'commit';
}

function asksOf({ port, tray }: Join, bell: Bell): Asking {
  return createAsking(port, createTray(bell, tray));
}

/** What several threads commit at once is one transaction, which waits for the disk once. */
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
    by.reply(replyTo(id, operations, own));
  }
}

/** One that throws has changed nothing: all that have asked for a part of it are told why. */
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
