import type { AuditLine } from '../../books/audit-line.ts';
import { isDecided } from '../../store/port/port.ts';
import { selectLinesBetween } from '../../store/queries/audit-log.ts';
import { abortTransaction } from '../../store/queries/operator-statements.ts';
import type { AdminContext } from './context.ts';
import { noteText } from './note-text.ts';

/** An audit line without actor and reason. */
export interface AuditEntry {
  readonly action: string;
  readonly subject: string;
  readonly before: string | null;
  readonly after: string | null;
}

export interface AuditedChange<T> {
  readonly result: T;
  readonly lines: readonly AuditEntry[];
}

/** The most lines that a change returns; the audit log has all. */
const returnedLinesMax = 100;

export async function runAudited<T>(
  context: AdminContext,
  change: (context: AdminContext) => Promise<T>,
): Promise<AuditedChange<T>> {
  const made: string[] = [];
  const next: AdminContext['ids']['next'] = (prefix) => {
    const id = context.ids.next(prefix);
    if (prefix === 'log') made.push(id);
    return id;
  };
  const result = await change({ ...context, ids: { ...context.ids, next } });
  // Lines of one millisecond have no order in the store.
  const sorted = made.toSorted();
  const [first, last = ''] = [sorted[0], sorted.at(-1)];
  if (first === undefined) return { result, lines: [] };
  const between = await context.store.read(
    selectLinesBetween(first, last, made.length + returnedLinesMax),
  );
  const written = new Map(between.map((line) => [line.id, line]));
  const own = made.flatMap((id) => written.get(id) ?? []);
  return { result, lines: own.slice(0, returnedLinesMax).map(lineOf) };
}

/**
 * A dry run: the store checks every condition and keeps nothing. Throws as the change does. Only
 * for changes of one transaction: ledger changes have their own plans.
 */
export async function previewChange(
  context: AdminContext,
  change: (context: AdminContext) => Promise<unknown>,
): Promise<readonly AuditEntry[]> {
  const write: AdminContext['store']['write'] = async (statements) => {
    const counts = await context.store.write([...statements, abortTransaction]);
    if (!isDecided(statements, counts)) return counts.slice(0, -1);
    throw new DryRunResult(statements.flatMap(({ line }) => line ?? []).map(lineOf));
  };
  const queue: AdminContext['queue'] = {
    submit: () => Promise.reject(new Error('a rehearsal books nothing')),
    length: () => 0,
  };
  try {
    await change({ ...context, store: { ...context.store, write }, queue });
    return [];
  } catch (error) {
    if (error instanceof DryRunResult) return error.lines;
    throw error;
  }
}

class DryRunResult extends Error {
  override readonly name = 'DryRunResult';
  readonly lines: readonly AuditEntry[];
  constructor(lines: readonly AuditEntry[]) {
    super('the change was rehearsed');
    this.lines = lines;
  }
}

function lineOf({ action, subject, before, after }: AuditLine): AuditEntry {
  return { action, subject, before: noteText(before), after: noteText(after) };
}
