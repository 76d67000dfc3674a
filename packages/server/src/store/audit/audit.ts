import { instanceDeadMs } from '../../books/instance.ts';
import type { Query, Store } from '../port/port.ts';
import { followChain } from '../queries/audit-chain.ts';
import { big, text } from '../schema/columns.ts';
import { isDamage } from '../sqlite/file/damage.ts';
import { selectPruneHorizon } from '../sums/prune-calls.ts';
import { invariants } from './invariants.ts';

export interface AuditCheck {
  readonly id: string;
  readonly rule: string;
  readonly ok: boolean;
  readonly figure: number;
  /** The first bad rows, if the rule applies to single rows. */
  readonly rows?: readonly string[];
}

export interface AuditReport {
  readonly clean: boolean;
  /** UTC. Earlier calls were pruned and are not compared. */
  readonly prunedBefore: string | undefined;
  readonly checks: readonly AuditCheck[];
  /** Written by versions before the chain. */
  readonly unchainedLines: number;
}

/** A sweep is due every 5 s; two may pass. */
const sweepGraceMs = 10_000;

const fileRule = { id: 'file', rule: 'the file of a SQLite store passes its quick_check' };
const chainRule = {
  id: 'I16',
  rule: 'no chained line of the audit log is missing, changed, moved or added',
};
const provenRule = {
  id: 'I16-key',
  rule: 'the key of each chained line, if it has one, is in the key ring, and no line without a key comes after a line with a key',
};

/** Checks the audit chain line by line: slower the older the store. */
export async function audit(store: Store, nowMs: number): Promise<AuditReport> {
  const file = store.kind === 'sqlite' ? [await checkFile(store)] : [];
  // The content of a damaged file proves nothing.
  if (file.some(({ ok }) => !ok)) {
    return { clean: false, prunedBefore: undefined, checks: file, unchainedLines: 0 };
  }
  const checks = [...file, ...(await checkInvariants(store, nowMs))];
  const { breaches, unproven, unchained: unchainedLines } = await followChain(store);
  checks.push({ ...chainRule, ok: breaches === 0, figure: breaches });
  checks.push({ ...provenRule, ok: unproven === 0, figure: unproven });
  // Last: the report must not cover what a prune deletes during the audit.
  const prunedBefore = await store.read(selectPruneHorizon);
  return { clean: checks.every((check) => check.ok), prunedBefore, checks, unchainedLines };
}

const selectFaults: Query<readonly string[]> = {
  ...{ sql: 'pragma quick_check(10)', values: [], isLong: true },
  map: (rows) => rows.map((row) => text(row, 'quick_check').replaceAll('\n', ' ')),
};

async function checkFile(store: Store): Promise<AuditCheck> {
  const faults = await store.read(selectFaults).catch((error: unknown) => {
    if (isDamage(error)) return [error.message];
    throw error;
  });
  const rows = faults.filter((row) => row !== 'ok');
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

/** One statement per rule, for one snapshot. */
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
