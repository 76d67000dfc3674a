import { instanceDeadMs } from '../../books/instance.ts';
import { big, text } from '../columns.ts';
import type { Query, Store } from '../port.ts';
import { isDamage } from '../sqlite/damage.ts';
import { followChain } from './audit-chain.ts';
import { invariants } from './invariants.ts';
import { selectPruneHorizon } from './prune-calls.ts';

/** One invariant, checked on the live store. */
export interface AuditCheck {
  readonly id: string;
  /** What must hold. */
  readonly rule: string;
  readonly ok: boolean;
  /** How many rows break it. */
  readonly figure: number;
  /** The first of these rows, where the rule is of a row by itself and one breaks it. */
  readonly rows?: readonly string[];
}

/** What `model-gateway audit` prints. */
export interface AuditReport {
  readonly clean: boolean;
  /** The UTC day before which calls were pruned, and are compared with nothing; else undefined. */
  readonly prunedBefore: string | undefined;
  readonly checks: readonly AuditCheck[];
  /** Lines of the audit log that versions before its chain have written. */
  readonly unchainedLines: number;
}

/** A sweep is due every 5 s; two of them are allowed to pass. */
const sweepGraceMs = 10_000;

const fileRule = { id: 'file', rule: 'the file of a SQLite store is whole, by its quick_check' };
const chainRule = {
  id: 'I16',
  rule: 'no chained line of the audit log is missing, changed, moved or added',
};
const provenRule = {
  id: 'I16-key',
  rule: 'each chained line is under a key of the ring, and none without a key is behind one with',
};

/**
 * Checks the ledger's invariants by SQL, and the chain of the audit log line by line: it takes the
 * longer the older the store is.
 */
export async function audit(store: Store, nowMs: number): Promise<AuditReport> {
  const file = store.kind === 'sqlite' ? [await checkFile(store)] : [];
  // What a damaged file returns proves nothing.
  if (file.some(({ ok }) => !ok)) {
    return { clean: false, prunedBefore: undefined, checks: file, unchainedLines: 0 };
  }
  const checks = [...file, ...(await checkInvariants(store, nowMs))];
  const { breaches, unproven, unchained: unchainedLines } = await followChain(store);
  checks.push({ ...chainRule, ok: breaches === 0, figure: breaches });
  checks.push({ ...provenRule, ok: unproven === 0, figure: unproven });
  // Last: what a prune deletes meanwhile is not checked, and is not said to be.
  const prunedBefore = await store.read(selectPruneHorizon);
  return { clean: checks.every((check) => check.ok), prunedBefore, checks, unchainedLines };
}

const selectFaults: Query<readonly string[]> = {
  ...{ sql: 'pragma quick_check(10)', values: [], isLong: true },
  map: (rows) => rows.map((row) => text(row, 'quick_check').replaceAll('\n', ' ')),
};

async function checkFile(store: Store): Promise<AuditCheck> {
  const found = await store.read(selectFaults).catch((error: unknown) => {
    if (isDamage(error)) return [error.message];
    throw error;
  });
  const rows = found.filter((row) => row !== 'ok');
  return {
    ...fileRule,
    ok: rows.length === 0,
    figure: rows.length,
    ...(rows.length > 0 && { rows }),
  };
}

function names(sql: string): Query<readonly string[]> {
  return { sql, values: [], isLong: true, map: (rows) => rows.map((row) => text(row, 'name')) };
}

/** Checks the ledger's invariants, each in one statement, so that it sees one moment. */
export async function checkInvariants(store: Store, nowMs: number): Promise<readonly AuditCheck[]> {
  const checks: AuditCheck[] = [];
  for (const { id, rule, sql, rowsSql, usesTime } of invariants) {
    const values = usesTime === true ? [nowMs - sweepGraceMs, nowMs - instanceDeadMs] : [];
    const query: Query<number> = {
      sql,
      values,
      isLong: true,
      map: ([row]) => Number(row && big(row, 'breaches')),
    };
    const figure = await store.read(query);
    const rows =
      figure === 0 || rowsSql === undefined ? undefined : await store.read(names(rowsSql));
    checks.push({ id, rule, ok: figure === 0, figure, ...(rows && { rows }) });
  }
  return checks;
}
