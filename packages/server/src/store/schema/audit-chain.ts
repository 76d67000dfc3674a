import { createHash, createHmac } from 'node:crypto';
import type { AuditLine } from '../../books/audit-line.ts';
import type { KeyRing } from '../../lib/key-ring.ts';
import type { SqlRow, SqlValue } from '../port/port.ts';
import { int, text } from './columns.ts';

/** `seq` is 0 before the first line. */
export interface AuditHead {
  readonly seq: number;
  /** Key id in the ring; empty for a hash without a key. */
  readonly kid: string;
  readonly hmac: string;
}

/** The fields are undefined for lines of an earlier version. */
export interface ChainedLine extends AuditLine {
  readonly seq: number | undefined;
  readonly kid: string | undefined;
  readonly hmac: string | undefined;
}

/** Called when lines are durable. */
export type OnLines = (lines: readonly ChainedLine[]) => void;

const unkeyed = '';

/**
 * The chain's start in a store without unchained lines. In an older store, the first line is
 * chained to an empty text.
 */
export const wholeStart = 'no line before';

/** Uses the ring's newest key, if there is a ring. */
export function chained(
  head: AuditHead,
  lines: readonly AuditLine[],
  ring: KeyRing | undefined,
): { readonly lines: readonly ChainedLine[]; readonly head: AuditHead } {
  const kid = ring?.newest ?? unkeyed;
  let last = head;
  const linked = lines.map((line): ChainedLine => {
    const seq = last.seq + 1;
    last = { seq, kid, hmac: hashOf({ ...line, seq, kid }, last.hmac, ring) ?? '' };
    return { ...line, ...last };
  });
  return { lines: linked, head: last };
}

/**
 * HMAC-SHA-256 under a key of the ring, or SHA-256 for a line without a key. Undefined if the ring
 * lacks the key.
 */
export function hashOf(
  line: AuditLine & Pick<AuditHead, 'seq' | 'kid'>,
  before: string,
  ring: KeyRing | undefined,
): string | undefined {
  const { seq, kid, id, at, actor, action, subject, reason, reference, callId, via } = line;
  const facts = [id, at, actor, action, subject, line.before, line.after];
  // Undefined is null in JSON, as in the database.
  const names = [reason, reference, callId];
  // Lines of previous versions have no `via`, so their hash excludes it.
  const hashedText = JSON.stringify([before, seq, kid, ...facts, ...names, ...(via ? [via] : [])]);
  if (kid === unkeyed) return createHash('sha256').update(hashedText).digest('base64url');
  const key = ring?.derive(kid, 'audit log');
  return key && createHmac('sha256', key).update(hashedText).digest('base64url');
}

export function bindHead({ seq, kid, hmac }: AuditHead): readonly SqlValue[] {
  return [seq, kid, hmac];
}

export function headOf(row: SqlRow | undefined): AuditHead {
  if (row === undefined) throw new Error('the head of the audit log is missing');
  return { seq: int(row, 'seq'), kid: text(row, 'kid'), hmac: text(row, 'hmac') };
}
