import type { AuditNote } from '../books/audit-line.ts';
import { insertAuditLine } from '../store/audit-lines.ts';
import type { Statement } from '../store/port.ts';
import type { AdminContext } from './context.ts';

/** Who changes something, when, and why. */
export type AuditContext = Pick<AdminContext, 'ids' | 'clock' | 'actor' | 'via' | 'reason'>;

/** A line of the audit log for a change that is written with it. Never a secret. */
export function auditLine(
  context: AuditContext,
  change: {
    readonly action: string;
    readonly subject: string;
    readonly before?: string | undefined;
    readonly after?: string | undefined;
  },
): Statement {
  const { before, after } = change;
  return insertAuditLine({ ...auditNote(context, change), before, after });
}

/** What a line begins with that the ledger writes: it alone knows what the change comes to. */
export function auditNote(
  { ids, clock, actor, via, reason }: AuditContext,
  change: Pick<AuditNote, 'action' | 'subject' | 'reference' | 'callId'>,
): AuditNote {
  const { action, subject, reference, callId } = change;
  return {
    id: ids.next('log'),
    at: clock.now(),
    // The name comes first: who looks for it finds its lines of every role and session.
    actor: via === undefined ? actor : `${actor} (${via})`,
    action,
    subject,
    reason,
    reference,
    callId,
    via,
  };
}
