import type { Role } from '../domain/role.ts';
import type { KeyRing } from '../lib/key-ring.ts';
import { pseudonymOf } from '../lib/pseudonym.ts';
import { type Right, rightNames } from './roles.ts';

/** Who asks. */
export interface Who {
  readonly name: string;
  readonly role: Role;
  /** The only apps that it may see; undefined for all. */
  readonly apps: readonly string[] | undefined;
  /** By what it is known. */
  readonly via: 'session' | 'token' | 'nothing';
  /** The id of the session or the token: no secret. */
  readonly id: string;
  /** When it ends, in ms; undefined for a stranger. */
  readonly expiresAt: number | undefined;
  /** What its role gives it a right to. */
  readonly may: readonly Right[];
}

/** Who has not logged in: routes for anyone see it. */
export const stranger: Who = {
  name: 'stranger',
  role: 'viewer',
  apps: [],
  via: 'nothing',
  id: '',
  expiresAt: undefined,
  may: [],
};

/** Whether a login that is looked up again has the same role and apps; false where it has ended. */
export function isSameAccess(before: Who, now: Who | undefined): boolean {
  if (now === undefined || now.id !== before.id || now.role !== before.role) return false;
  return now.apps?.join() === before.apps?.join();
}

/** Of some apps those that a person may see. */
export function visibleApps(who: Pick<Who, 'apps'>, apps: readonly string[]): readonly string[] {
  const { apps: own } = who;
  return own === undefined ? apps : apps.filter((app) => own.includes(app));
}

/** Whether a person may see an app. An app that it may not see is 404, as if it were not there. */
export function mayUseApp({ apps }: Pick<Who, 'apps'>, app: string): boolean {
  return apps === undefined || apps.includes(app);
}

/** A user's id as a person may see it: who may see none sees the same other name for the same. */
export function maskUser(
  { may }: Pick<Who, 'may'>,
  ring: KeyRing | undefined,
  { app, userId }: { readonly app: string; readonly userId: string },
): string {
  if (may.includes('users')) return userId;
  return ring === undefined ? '***' : pseudonymOf(ring, app, userId);
}

/** The command line has every right of an operator. */
export const commandLine: Who = {
  ...{ name: 'command line', role: 'operator', apps: undefined, via: 'nothing', id: '' },
  ...{ expiresAt: undefined, may: rightNames },
};
