import type { AuditLine } from '../books/audit-line.ts';
import { selectLines } from '../store/queries/audit-log.ts';
import type { AdminContext } from './context.ts';
import { walletSubject } from './wallets.ts';

/** Which lines are looked for; what is undefined says nothing. */
export interface LineSearch {
  /** An app, a key, a call, a wallet (`app/user`), as the line says it. */
  readonly subject: string | undefined;
  readonly actor: string | undefined;
  readonly since: number | undefined;
  readonly limit: number;
}

/** A line of the audit log, as operators read it; null is what it does not say. */
export interface LineDocument {
  readonly id: string;
  readonly at: string;
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly reason: string | null;
  readonly reference: string | null;
  readonly callId: string | null;
}

/** Lines of the audit log, the newest first. */
export async function listLines(
  context: AdminContext,
  { subject, actor, since, limit }: LineSearch,
): Promise<readonly LineDocument[]> {
  const subjects = subject === undefined ? undefined : subjectsOf(context, subject);
  const lines = await context.store.read(selectLines({ subjects, actor, since }, limit));
  return lines.map(documentOf);
}

/** A wallet is found by its user's name, though newer lines do not have it. */
function subjectsOf(context: AdminContext, subject: string): readonly [string, string] {
  const slash = subject.indexOf('/');
  if (slash === -1) return [subject, subject];
  const owner = { app: subject.slice(0, slash), userId: subject.slice(slash + 1) };
  return [subject, walletSubject(context, owner)];
}

function documentOf(line: AuditLine): LineDocument {
  const { id, at, actor, action, subject, before, after, reason, reference, callId } = line;
  return {
    ...{ id, at: new Date(at).toISOString(), actor, action, subject },
    ...{ before: before ?? null, after: after ?? null, reason: reason ?? null },
    ...{ reference: reference ?? null, callId: callId ?? null },
  };
}
