import { appOf, noSuch } from '../../operations/app-of.ts';
import { ConsoleError } from '../../operations/context/console-error.ts';
import type { AdminContext } from '../../operations/context/context.ts';
import { mayUseApp, type OwnedKind, type Session } from '../../operations/context/session.ts';

/**
 * For a login limited to some apps, the dispatcher decides by this. Another app, or its records,
 * are 404, as if missing.
 */
export type RouteApps =
  /** No apps, or only records of the login itself. */
  | 'none'
  /** The login's apps, or those named by `app` or `apps`. */
  | 'own'
  /** 403 for a limited login. */
  | 'all'
  /** The app in the field `app`; `all` in a body is every app. */
  | { readonly named: 'path' | 'body' }
  /** The app of the record that `:id` in the path names. */
  | { readonly of: OwnedKind }
  /** Decided by the body's field `kind`. */
  | { readonly byKind: Readonly<Record<string, 'own' | 'all'>> };

interface Address {
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: object;
}

/** Runs before the body is read. */
export async function checkAddress(
  { admin, session }: { readonly admin: AdminContext; readonly session: Session },
  apps: RouteApps,
  { parameters, query }: Address,
): Promise<void> {
  if (session.apps === undefined || apps === 'none') return;
  if (apps === 'all') throw unlimitedOnly();
  checkNamed(session, [parameters, query]);
  if (typeof apps !== 'object' || !('of' in apps)) return;
  const { id = '' } = parameters;
  const app = await appOf(admin, apps.of, id);
  if (app === undefined || !mayUseApp(session, app)) throw noSuch(apps.of, id);
}

/** Undefined for all apps. `checkAddress` checked the address; this rejects by the body. */
export function appsOfRequest(
  session: Session,
  apps: RouteApps,
  { parameters, query, body }: Address & { readonly body: unknown },
): readonly string[] | undefined {
  if (apps === 'none') return session.apps;
  const isOfAll = namesIn(body).includes('all') || kindOf(apps, body) === 'all';
  if (isOfAll && session.apps !== undefined) throw unlimitedOnly();
  if (isOfAll) return undefined;
  checkNamed(session, [body]);
  const named = [parameters, query, body].flatMap(namesIn);
  return named.length === 0 ? session.apps : named;
}

function kindOf(apps: RouteApps, body: unknown): 'own' | 'all' | undefined {
  if (typeof apps !== 'object' || !('byKind' in apps)) return undefined;
  return apps.byKind[String(Object(body).kind)];
}

function checkNamed(session: Session, parts: readonly unknown[]): void {
  for (const app of parts.flatMap(namesIn)) {
    if (!mayUseApp(session, app)) throw new ConsoleError('NOT_FOUND', `unknown app ${app}`);
  }
}

function namesIn(fields: unknown): readonly string[] {
  const { app, apps } = Object(fields);
  return [app, apps].flat().filter((name) => typeof name === 'string');
}

function unlimitedOnly(): ConsoleError {
  return new ConsoleError(
    'FORBIDDEN',
    'This request concerns all apps, but this login is limited to some; use a login for all apps',
  );
}
