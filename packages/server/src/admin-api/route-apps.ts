import { appOf, noSuch, type OwnedKind } from '../operations/app-of.ts';
import { ConsoleError } from '../operations/console-error.ts';
import type { AdminContext } from '../operations/context.ts';
import { mayUseApp, type Who } from '../operations/who.ts';

/**
 * Which apps a request concerns: a fact of its route, by which the dispatcher decides for a login
 * that is limited to apps. An app or an id of another app is 404, as if it did not exist.
 */
export type RouteApps =
  /** No app, or only records of the login itself. */
  | 'none'
  /** The apps of the login, or those that `app` or `apps` of the request names. */
  | 'own'
  /** Every app: 403 for a limited login. */
  | 'all'
  /** The app that `app` names there; `all` in a body is every app. */
  | { readonly named: 'path' | 'body' }
  /** The app of the record that `:id` of the path names. */
  | { readonly of: OwnedKind }
  /** By the field `kind` of the body. */
  | { readonly byKind: Readonly<Record<string, 'own' | 'all'>> };

/** The path and the query of a request, by name. */
interface Address {
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: object;
}

/** Rejects by path and query, before the body is read. */
export async function checkAddress(
  { admin, who }: { readonly admin: AdminContext; readonly who: Who },
  apps: RouteApps,
  { parameters, query }: Address,
): Promise<void> {
  if (who.apps === undefined || apps === 'none') return;
  if (apps === 'all') throw unlimitedOnly();
  checkNamed(who, [parameters, query]);
  if (typeof apps !== 'object' || !('of' in apps)) return;
  const { id = '' } = parameters;
  const app = await appOf(admin, apps.of, id);
  if (app === undefined || !mayUseApp(who, app)) throw noSuch(apps.of, id);
}

/**
 * The only apps that the request concerns, undefined for all of them. Rejects by the body: the
 * address has been checked.
 */
export function appsOfRequest(
  who: Who,
  apps: RouteApps,
  { parameters, query, body }: Address & { readonly body: unknown },
): readonly string[] | undefined {
  if (apps === 'none') return who.apps;
  const isOfAll = namesIn(body).includes('all') || kindOf(apps, body) === 'all';
  if (isOfAll && who.apps !== undefined) throw unlimitedOnly();
  if (isOfAll) return undefined;
  checkNamed(who, [body]);
  const named = [parameters, query, body].flatMap(namesIn);
  return named.length === 0 ? who.apps : named;
}

function kindOf(apps: RouteApps, body: unknown): 'own' | 'all' | undefined {
  if (typeof apps !== 'object' || !('byKind' in apps)) return undefined;
  return apps.byKind[String(Object(body).kind)];
}

function checkNamed(who: Who, parts: readonly unknown[]): void {
  for (const app of parts.flatMap(namesIn)) {
    if (!mayUseApp(who, app)) throw new ConsoleError('NOT_FOUND', `there is no app ${app}`);
  }
}

function namesIn(fields: unknown): readonly string[] {
  const { app, apps } = Object(fields);
  return [app, apps].flat().filter((name) => typeof name === 'string');
}

function unlimitedOnly(): ConsoleError {
  return new ConsoleError(
    'FORBIDDEN',
    'This concerns every app, and this login is limited to some; use a login without a limit to apps',
  );
}
