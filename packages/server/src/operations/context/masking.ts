import { roles } from '../../domain/role.ts';
import type { KeyRing } from '../../lib/key-ring.ts';
import type { CallDocument, HoldDocument } from '../documents/calls.ts';
import { ConsoleError } from './console-error.ts';
import { maskUser, type Session } from './session.ts';

/** Throws FORBIDDEN where a session that may not see users names one. */
export function checkUser({ permissions }: Session, user: string | undefined): void {
  if (user === undefined || permissions.includes('users')) return;
  throw new ConsoleError('FORBIDDEN', 'this role cannot see users', { field: 'user' });
}

export function maskRow<Row extends { readonly app: string; readonly userId: string | null }>(
  session: Session,
  ring: KeyRing | undefined,
  row: Row,
): Row {
  const { app, userId } = row;
  return userId === null ? row : { ...row, userId: maskUser(session, ring, { app, userId }) };
}

interface Notes {
  readonly reason: string | null;
  readonly reference: string | null;
}

const sessionPattern = new RegExp(`\\b(${roles.join('|')}) session [^\\s)]+`, 'g');

/** Session ids need the right `access`. */
export function maskActor({ permissions }: Session, text: string): string {
  return permissions.includes('access') ? text : text.replaceAll(sessionPattern, '$1 session');
}

const hidden = '(hidden: it might name a user)';

export function maskNotes({ permissions }: Session, { reason, reference }: Notes): Notes {
  if (permissions.includes('users')) return { reason, reference };
  return { reason: reason && hidden, reference: reference && hidden };
}

/** Scopes may name the user, so they are masked too. */
export function maskCall<Call extends CallDocument | HoldDocument>(
  session: Session,
  ring: KeyRing | undefined,
  call: Call,
): Call {
  const masked = { ...maskRow(session, ring, call), ...maskCorrections(session, call) };
  const { userId, scopes } = call;
  if (userId === null || scopes === undefined || session.permissions.includes('users'))
    return masked;
  return { ...masked, scopes: scopes.filter((scope) => !scope.includes(userId)) };
}

function maskCorrections(session: Session, call: CallDocument | HoldDocument) {
  if (call.state === 'running') return {};
  const { corrections } = call;
  return {
    corrections: corrections.map((one) => {
      return { ...one, ...maskNotes(session, one), actor: maskActor(session, one.actor) };
    }),
  };
}
