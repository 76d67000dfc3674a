import { type Role, roles } from '../../domain/role.ts';
import type { KeyRing } from '../../lib/key-ring.ts';
import { pseudonymOf } from '../../lib/pseudonym.ts';

// The one table of who may do what: routes, the pages' buttons, the description and the documents
// are made of it.

/** A team's rights cover only its own apps. */
export const rights = {
  look: { says: 'Today, Health, Models', roles },
  spend: { says: 'Spend, Calls, receipts, CSV', roles },
  users: { says: 'view user ids', roles: ['team', 'finance', 'operator'] },
  keys: { says: 'issue, rotate, disable keys', roles: ['team', 'operator'] },
  money: { says: 'correct costs, close days, reconcile', roles: ['finance', 'operator'] },
  wallets: { says: 'top up, debit wallets', roles: ['team', 'finance', 'operator'] },
  operate: {
    says: 'budgets, rate limits, allowlists, apps, projects, webhooks, runs',
    roles: ['operator'],
  },
  access: { says: "tokens and other users' sessions", roles: ['operator'] },
} as const satisfies Readonly<Record<string, { says: string; roles: readonly Role[] }>>;

type Right = keyof typeof rights;

/** A right, to be a person, or nothing. */
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

/** In the table's order. */
export const rightNames: readonly Right[] = [
  ...(['look', 'spend', 'users', 'keys', 'money', 'wallets', 'operate', 'access'] as const),
];

export interface Who {
  readonly name: string;
  readonly role: Role;
  /** Undefined: all apps. */
  readonly apps: readonly string[] | undefined;
  readonly via: 'session' | 'token' | 'nothing';
  /** The session's or token's id; not a secret. */
  readonly id: string;
  /** In ms; undefined for a stranger. */
  readonly expiresAt: number | undefined;
  readonly may: readonly Right[];
}

/** Sees only routes for anyone. */
export const stranger: Who = {
  name: 'stranger',
  role: 'viewer',
  apps: [],
  via: 'nothing',
  id: '',
  expiresAt: undefined,
  may: [],
};

export function isSameAccess(before: Who, now: Who | undefined): boolean {
  if (now === undefined || now.id !== before.id || now.role !== before.role) return false;
  return now.apps?.join() === before.apps?.join();
}

export function visibleApps(who: Pick<Who, 'apps'>, apps: readonly string[]): readonly string[] {
  const { apps: own } = who;
  return own === undefined ? apps : apps.filter((app) => own.includes(app));
}

/** A hidden app gives 404, as if it did not exist. */
export function mayUseApp({ apps }: Pick<Who, 'apps'>, app: string): boolean {
  return apps === undefined || apps.includes(app);
}

/** Readers without the right see a stable replacement. */
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

/** What belongs to one app, and is addressed by an id of its own. */
export type OwnedKind = 'call' | 'key' | 'run';
