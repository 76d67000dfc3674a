import type { CallDocument, HoldDocument } from '../admin/call-document.ts';
import { callOrNone } from '../admin/call-ids.ts';
import type { AdminContext } from '../admin/context.ts';
import { roles } from '../domain/role.ts';
import type { KeyRing } from '../lib/key-ring.ts';
import { ConsoleError } from './console-error.ts';
import { maskUser, mayUseApp, type Who } from './who.ts';

// What who asks may see of answers.

/** Throws NOT_FOUND for an app that who asks may not see, as if it were not there. */
export function checkApp(who: Who, app: string): void {
  if (!mayUseApp(who, app)) throw new ConsoleError('NOT_FOUND', `there is no app ${app}`);
}

/** Throws FORBIDDEN for a request that concerns every app, from a login that is limited to some. */
export function checkUnlimited({ apps }: Who): void {
  if (apps === undefined) return;
  throw new ConsoleError(
    'FORBIDDEN',
    'This concerns every app, and this login is limited to some; use a login without a limit to apps',
  );
}

/** Checks every app that a path, a query and a body name; in a body, `all` means every app. */
export function checkNamedApps(who: Who, places: readonly unknown[], body: unknown): void {
  if (appsIn(body).includes('all')) checkUnlimited(who);
  for (const app of [...places, body].flatMap(appsIn)) checkApp(who, app);
}

function appsIn(fields: unknown): readonly string[] {
  const { app, apps } = Object(fields);
  return [app, apps].flat().filter((name) => typeof name === 'string');
}

/** Throws NOT_FOUND for a call of an app that may not be seen, as for one that is not there. */
export async function checkCall(
  { admin, who }: { readonly admin: AdminContext; readonly who: Who },
  id: string,
): Promise<void> {
  if (who.apps === undefined) return;
  const call = await callOrNone(admin, id);
  if (call === undefined || !mayUseApp(who, call.app)) throw noSuchCall(id);
}

/** The error for an id that no call has, or none that may be seen. */
export function noSuchCall(id: string): ConsoleError {
  return new ConsoleError('NOT_FOUND', `there is no call ${JSON.stringify(id)}`);
}

/** The only apps that an answer is of: the one that is named, or those that who asks may see. */
export function appsOf(who: Who, app: string | undefined): readonly string[] | undefined {
  if (app === undefined) return who.apps;
  checkApp(who, app);
  return [app];
}

/** Throws FORBIDDEN where who asks sees no users and names one. */
export function checkUser({ may }: Who, user: string | undefined): void {
  if (user === undefined || may.includes('users')) return;
  throw new ConsoleError('FORBIDDEN', 'this role sees no users', { field: 'user' });
}

/** The same with the user as who asks may see it. */
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

/** Who made a change, as its reader may see it: ids of sessions need the right `access`. */
export function maskedActor({ may }: Who, text: string): string {
  return may.includes('access') ? text : text.replaceAll(sessionOf, '$1 session');
}

const hidden = '(hidden: it may name a user)';

/** What people wrote of a change: those who see no users are not told it. */
export function maskedWords({ may }: Who, { reason, reference }: Words): Words {
  if (may.includes('users')) return { reason, reference };
  return { reason: reason && hidden, reference: reference && hidden };
}

/** The same of a call: what its scopes say of its user goes with the name. */
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
