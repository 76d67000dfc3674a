import { roles } from '../../domain/role.ts';
import type { KeyRing } from '../../lib/key-ring.ts';
import type { CallDocument, HoldDocument } from '../documents/calls.ts';
import { ConsoleError } from './console-error.ts';
import { maskUser, type Who } from './who.ts';

// What who asks may see of answers.

/** Throws FORBIDDEN where the asker sees no users and names one. */
export function checkUser({ may }: Who, user: string | undefined): void {
  if (user === undefined || may.includes('users')) return;
  throw new ConsoleError('FORBIDDEN', 'this role cannot see users', { field: 'user' });
}

export function masked<Row extends { readonly app: string; readonly userId: string | null }>(
  who: Who,
  ring: KeyRing | undefined,
  row: Row,
): Row {
  const { app, userId } = row;
  return userId === null ? row : { ...row, userId: maskUser(who, ring, { app, userId }) };
}

interface Words {
  readonly reason: string | null;
  readonly reference: string | null;
}

const sessionOf = new RegExp(`\\b(${roles.join('|')}) session [^\\s)]+`, 'g');

/** Session ids need the right `access`. */
export function maskedActor({ may }: Who, text: string): string {
  return may.includes('access') ? text : text.replaceAll(sessionOf, '$1 session');
}

const hidden = '(hidden: it might name a user)';

export function maskedWords({ may }: Who, { reason, reference }: Words): Words {
  if (may.includes('users')) return { reason, reference };
  return { reason: reason && hidden, reference: reference && hidden };
}

/** Scopes may name the user, so they are masked too. */
export function maskedCall<Call extends CallDocument | HoldDocument>(
  who: Who,
  ring: KeyRing | undefined,
  call: Call,
): Call {
  const seen = { ...masked(who, ring, call), ...correctionsSeen(who, call) };
  const { userId, scopes } = call;
  if (userId === null || scopes === undefined || who.may.includes('users')) return seen;
  return { ...seen, scopes: scopes.filter((scope) => !scope.includes(userId)) };
}

function correctionsSeen(who: Who, call: CallDocument | HoldDocument) {
  if (call.state === 'running') return {};
  const { corrections } = call;
  return {
    corrections: corrections.map((one) => {
      return { ...one, ...maskedWords(who, one), actor: maskedActor(who, one.actor) };
    }),
  };
}
