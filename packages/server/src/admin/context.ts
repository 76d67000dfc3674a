import type { AuditNote } from '../books/rows.ts';
import type { Clock } from '../lib/clock.ts';
import type { Ids } from '../lib/id.ts';
import { insertAuditLine } from '../store/audit-lines.ts';
import type { Statement, Store } from '../store/port.ts';
import { storeClock } from '../store/store-clock.ts';
import * as sql from './statements.ts';

/** What every operation of an operator needs. */
export interface AdminContext {
  readonly store: Store;
  /** The store's: days and months are what they are to the service, whoever's machine asks. */
  readonly clock: Clock;
  readonly ids: Ids;
  /** Names the projects of apps that have no name of their own for theirs. */
  readonly company: string;
  readonly adminEmail: string | undefined;
  /** Who changes something, for the audit log. */
  readonly actor: string;
  /** Why, in the operator's own words; missing where nobody said. */
  readonly reason?: string | undefined;
}

/** Makes a context on a store; `clock` is this process's own, and wrapped here and nowhere else. */
export function createAdminContext(parts: AdminContext): AdminContext {
  const { store, clock, ids, company, adminEmail, actor, reason } = parts;
  return { store, clock: storeClock(store, clock), ids, company, adminEmail, actor, reason };
}

/** An operator's wish that cannot be granted: what is wrong, and what to do. */
export class AdminError extends Error {
  override readonly name = 'AdminError';
  /** True when the value is wrong whatever the store holds: wrong usage, not a refusal. */
  readonly isBadValue: boolean;
  constructor(message: string, options: { readonly isBadValue?: boolean } = {}) {
    super(message);
    this.isBadValue = options.isBadValue === true;
  }
}

/** A line of the audit log for a change that is written with it. Never a secret. */
export function auditLine(
  context: AdminContext,
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
  { ids, clock, actor, reason }: AdminContext,
  change: Pick<AuditNote, 'action' | 'subject' | 'reference' | 'callId'>,
): AuditNote {
  const { action, subject, reference, callId } = change;
  return {
    id: ids.next('log'),
    at: clock.now(),
    actor,
    action,
    subject,
    reason,
    reference,
    callId,
  };
}

/**
 * Writes a change of apps, keys or bindings, and tells every replica; answers as the store does.
 * The revision comes first: its row is the lock that each such change takes, so that what one of
 * them looks at is as it was until it is written.
 */
export async function changeRegistry(
  context: AdminContext,
  statements: readonly Statement[],
): Promise<readonly number[]> {
  const bump = { sql: sql.bumpRevision, values: [] };
  const [, ...counts] = await context.store.write([bump, ...statements]);
  return counts;
}
