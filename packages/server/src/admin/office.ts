import type { Clock } from '../lib/clock.ts';
import type { Ids } from '../lib/id.ts';
import type { Statement, Store } from '../store/port.ts';
import * as sql from './statements.ts';

/** What every operation of an operator needs. */
export interface Office {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Names the projects of apps that have no name of their own for theirs. */
  readonly company: string;
  readonly adminEmail: string | undefined;
  /** Who changes something, for the audit log. */
  readonly actor: string;
}

/** An operator's wish that cannot be granted: what is wrong, and what to do. */
export class OfficeError extends Error {
  override readonly name = 'OfficeError';
  /** True when the value is wrong whatever the store holds: wrong usage, not a refusal. */
  readonly isBadValue: boolean;
  constructor(message: string, options: { readonly isBadValue?: boolean } = {}) {
    super(message);
    this.isBadValue = options.isBadValue === true;
  }
}

/** A line of the audit log: who changed what, from what to what. Never a secret. */
export function auditLine(
  office: Office,
  change: {
    readonly action: string;
    readonly subject: string;
    readonly before?: string | undefined;
    readonly after?: string | undefined;
  },
): Statement {
  const { action, subject, before = null, after = null } = change;
  const id = office.ids.next('log');
  return {
    sql: sql.insertAudit,
    values: [id, office.clock.now(), office.actor, action, subject, before, after],
  };
}

/** Tells every replica that apps, keys or bindings have changed. */
export const revisionBump: Statement = { sql: sql.bumpRevision, values: [] };
