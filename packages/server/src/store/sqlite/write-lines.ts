import type { AuditLine } from '../../books/audit-line.ts';
import type { KeyRing } from '../../lib/key-ring.ts';
import { bindHead, type ChainedLine, chained, headOf } from '../schema/audit-chain.ts';
import { insertLine, moveHead, selectHead } from '../schema/audit-lines.ts';
import type { Prepare } from './ledger-rows.ts';

export function writeLines(
  prepare: Prepare,
  lines: readonly AuditLine[],
  ring: KeyRing | undefined,
): readonly ChainedLine[] {
  if (lines.length === 0) return [];
  const next = chained(headOf(prepare(selectHead).get()), lines, ring);
  const insert = prepare(insertLine.sql);
  for (const line of next.lines) insert.run(...insertLine.bind(line));
  prepare(moveHead).run(...bindHead(next.head));
  return next.lines;
}
