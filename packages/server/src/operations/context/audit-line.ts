import type { AuditNote } from '../../books/audit-line.ts';
import type { Statement } from '../../store/port/port.ts';
import { insertAuditLine } from '../../store/schema/audit-lines.ts';
import type { AdminContext } from './context.ts';

export type AuditContext = Pick<AdminContext, 'ids' | 'clock' | 'actor' | 'via' | 'reason'>;

/** Write it with its change. Must not contain a secret. */
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

/** The start of a line that the ledger completes, since only it has the result. */
export function auditNote(
  { ids, clock, actor, via, reason }: AuditContext,
  change: Pick<AuditNote, 'action' | 'subject' | 'reference' | 'callId'>,
): AuditNote {
  const { action, subject, reference, callId } = change;
  return {
    id: ids.next('log'),
    at: clock.now(),
    // The name comes first, so a search for it finds its lines of every role and session.
    actor: via === undefined ? actor : `${actor} (${via})`,
    action,
    subject,
    reason,
    reference,
    callId,
    via,
  };
}
