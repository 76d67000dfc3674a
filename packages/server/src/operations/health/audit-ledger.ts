import { type AuditReport, audit } from '../../store/queries/audit.ts';
import { type AdminContext, readingAside } from '../context.ts';

export type { AuditReport };

/** Checks the ledger's invariants on the live store. */
export function auditLedger(context: AdminContext): Promise<AuditReport> {
  const { store, clock } = readingAside(context);
  return context.turns.take(() => audit(store, clock.now()));
}
