import type { AuditLine } from '../../books/audit-line.ts';
import { pseudonymsOf } from '../../lib/pseudonym.ts';
import { selectLines } from '../../store/queries/audit-log.ts';
import type { AdminContext } from '../context/context.ts';
import { noteText } from '../context/note-text.ts';
import type { LineDocument } from '../documents/audit-log.ts';

/** Undefined fields match every line. */
export interface LineSearch {
  /** An app, key, call or wallet (`app/user`), as the line names it. */
  readonly subject: string | undefined;
  readonly actor: string | undefined;
  readonly since: number | undefined;
  readonly action?: string | undefined;
  readonly after?: string | undefined;
  readonly apps?: readonly string[] | undefined;
  readonly limit: number;
}

/** Newest first. */
export async function listLines(
  context: AdminContext,
  { subject, limit, ...search }: LineSearch,
): Promise<readonly LineDocument[]> {
  const subjects = subject === undefined ? undefined : subjectsOf(context, subject);
  const lines = await context.store.readForOperator(selectLines({ ...search, subjects }, limit));
  return lines.map(documentOf);
}

/** Also searches for the user's pseudonym, which newer lines have instead of the name. */
function subjectsOf({ store }: AdminContext, subject: string): readonly string[] {
  const slash = subject.indexOf('/');
  if (slash === -1) return [subject];
  const [app, userId] = [subject.slice(0, slash), subject.slice(slash + 1)];
  const others = pseudonymsOf(store.ring, app, userId).map((name) => `${app}/${name}`);
  return [...new Set([subject, ...others])];
}

function documentOf(line: AuditLine): LineDocument {
  const { id, at, actor, action, subject, before, after, reason, reference, callId, via } = line;
  return {
    ...{ id, at: new Date(at).toISOString(), actor, action, subject },
    ...{ before: noteText(before), after: noteText(after), reason: reason ?? null },
    ...{ reference: reference ?? null, callId: callId ?? null, via: via ?? null },
  };
}
