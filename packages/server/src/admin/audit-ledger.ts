import { type AuditReport, audit } from '../store/queries/audit.ts';
import type { AdminContext } from './context.ts';

export type { AuditReport };

/** Checks the ledger's invariants on the live store. */
export function auditLedger({ store, clock }: AdminContext): Promise<AuditReport> {
  return audit(store, clock.now());
}
