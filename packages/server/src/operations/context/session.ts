import { type Role, roles } from '../../domain/role.ts';
import type { KeyRing } from '../../lib/key-ring.ts';
import { pseudonymOf } from '../../lib/pseudonym.ts';

// The only table of rights: routes, the pages' buttons, the API description and the documents
// derive from it.

/** A team's rights cover only its own apps. */
export const rights = {
  look: { description: 'Today, Health, Models', roles },
  spend: { description: 'Spend, Calls, receipts, CSV', roles },
  users: { description: 'view user ids', roles: ['team', 'finance', 'operator'] },
  keys: { description: 'issue, rotate, disable keys', roles: ['team', 'operator'] },
  money: { description: 'correct costs, close days, reconcile', roles: ['finance', 'operator'] },
  wallets: { description: 'top up, debit wallets', roles: ['team', 'finance', 'operator'] },
  operate: {
    description: 'budgets, rate limits, allowlists, apps, projects, webhooks, runs',
    roles: ['operator'],
  },
  access: { description: "tokens and other users' sessions", roles: ['operator'] },
} as const satisfies Readonly<Record<string, { description: string; roles: readonly Role[] }>>;

type Right = keyof typeof rights;

/** A right, a signed-in person, or no condition. */
export type Action = Right | 'signed-in' | 'anyone';

interface RightOptions {
  /** A team may top up its own apps' wallets. */
  readonly teamWallets: boolean;
}

/** In the table's order. */
export function rightsOf(role: Role, { teamWallets }: RightOptions): readonly Right[] {
  return rightNames.filter((right) => {
    if (right === 'wallets' && role === 'team' && !teamWallets) return false;
    const { roles: allowed }: { readonly roles: readonly Role[] } = rights[right];
    return allowed.includes(role);
  });
}

/** Follows the table's order. */
export const rightNames: readonly Right[] = [
  ...(['look', 'spend', 'users', 'keys', 'money', 'wallets', 'operate', 'access'] as const),
];

export interface Session {
  readonly name: string;
  readonly role: Role;
  /** Undefined: all apps. */
  readonly apps: readonly string[] | undefined;
  readonly via: 'session' | 'token' | 'nothing';
  /** The session's or token's id; not a secret. */
  readonly id: string;
  /** In ms; undefined for an unauthenticated client. */
  readonly expiresAt: number | undefined;
  readonly permissions: readonly Right[];
}

/** Sees only routes for anyone. */
export const unauthenticatedSession: Session = {
  name: 'stranger',
  role: 'viewer',
  apps: [],
  via: 'nothing',
  id: '',
  expiresAt: undefined,
  permissions: [],
};

export function isSameAccess(before: Session, now: Session | undefined): boolean {
  if (now === undefined || now.id !== before.id || now.role !== before.role) return false;
  return now.apps?.join() === before.apps?.join();
}

export function visibleApps(
  session: Pick<Session, 'apps'>,
  apps: readonly string[],
): readonly string[] {
  const { apps: own } = session;
  return own === undefined ? apps : apps.filter((app) => own.includes(app));
}

/** A hidden app must return 404, as if it did not exist. */
export function mayUseApp({ apps }: Pick<Session, 'apps'>, app: string): boolean {
  return apps === undefined || apps.includes(app);
}

/** Readers without the right see a stable pseudonym. */
export function maskUser(
  { permissions }: Pick<Session, 'permissions'>,
  ring: KeyRing | undefined,
  { app, userId }: { readonly app: string; readonly userId: string },
): string {
  if (permissions.includes('users')) return userId;
  return ring === undefined ? '***' : pseudonymOf(ring, app, userId);
}

/** The command line has every right of an operator. */
export const commandLine: Session = {
  ...{ name: 'command line', role: 'operator', apps: undefined, via: 'nothing', id: '' },
  ...{ expiresAt: undefined, permissions: rightNames },
};

/** Kinds of objects that belong to one app and have their own ids. */
export type OwnedKind = 'call' | 'key' | 'run';
