import type { AuditLine } from '../../books/audit-line.ts';
import { createBook } from '../../books/book.ts';
import { decide } from '../../books/decide.ts';
import type { Operation } from '../../books/operations.ts';
import type { KeyRing } from '../../lib/key-ring.ts';
import type { OperationResult } from '../port/port.ts';
import {
  type AuditHead,
  bindHead,
  type ChainedLine,
  chained,
  headOf,
  type OnLines,
} from '../schema/audit-chain.ts';
import { lockHead, moveHead } from '../schema/audit-lines.ts';
import { isRolledBack, messageOf } from './connection/failure.ts';
import { type BeginParts, type LockedRows, lockRows } from './lock-rows.ts';
import type { Pipeline } from './pipeline/pipeline.ts';
import { queueChanges } from './queue-changes.ts';
import { insertLines } from './statements.ts';

/** This operation would fail again; its batch without it would not. */
export class BrokenPromise extends Error {
  override readonly name = 'BrokenPromise';
}

export interface LineParts {
  readonly ring: KeyRing | undefined;
  readonly onLines: OnLines;
}

export class CommitIndeterminate extends Error {
  override readonly name = 'CommitIndeterminate';
}

/**
 * Two round trips: begin, lock and read; write and commit. Missing rows cost a third, audit lines
 * one more. Operations whose wallet or key is locked elsewhere wait for another batch. Rejects
 * unless the commit is confirmed, with a CommitIndeterminate if it might have happened. Retries are
 * safe.
 */
export async function commitBatch(
  batch: readonly Operation[],
  parts: BeginParts & LineParts,
): Promise<readonly OperationResult[]> {
  const { session } = parts;
  let isCommitting = false;
  try {
    const locked = await lockRows(batch, parts);
    const { results, changes } = decideAll(batch, locked);
    if (Object.values(changes).every((rows) => rows.length === 0)) {
      // A batch of rejections changes nothing, so nothing waits for its end.
      session.rollback();
      return results;
    }
    let pipeline = session.resume();
    queueChanges(pipeline, changes, locked.isKnownKey);
    let lines: readonly ChainedLine[] = [];
    if (changes.lines.length > 0) {
      const head = pipeline.query(lockHead);
      await pipeline.flush();
      pipeline = session.resume();
      lines = queueLines(pipeline, headOf(head.rows[0]), changes.lines, parts.ring);
    }
    const commit = pipeline.query('commit');
    isCommitting = true;
    await pipeline.flush();
    // Only the tag proves a commit: the server may return ROLLBACK without an error.
    if (commit.tag !== 'COMMIT') throw new Error(`the commit returned ${commit.tag}`);
    parts.scopeHints.note(changes);
    if (lines.length > 0) parts.onLines(lines);
    return results;
  } catch (error) {
    session.rollback();
    if (!isCommitting || isRolledBack(error)) throw error;
    throw new CommitIndeterminate(messageOf(error), { cause: error });
  }
}

function queueLines(
  pipeline: Pipeline,
  head: AuditHead,
  lines: readonly AuditLine[],
  ring: KeyRing | undefined,
): readonly ChainedLine[] {
  const next = chained(head, lines, ring);
  pipeline.writeRows(insertLines, next.lines);
  pipeline.query(moveHead, bindHead(next.head).map(String));
  return next.lines;
}

function decideAll(batch: readonly Operation[], { rows, isFree }: LockedRows) {
  try {
    const book = createBook(rows);
    const results = batch.map((operation): OperationResult => {
      if (!isFree(operation)) return { ok: false, kind: 'conflict', error: 'a row is locked' };
      return { ok: true, outcome: decide(book, operation) };
    });
    return { results, changes: book.changes() };
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new BrokenPromise(message, { cause });
  }
}
