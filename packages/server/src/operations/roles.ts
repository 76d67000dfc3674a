import { type Role, roles } from '../domain/role.ts';

// The one table of who may do what: routes, the pages' buttons, the description and the documents
// are made of it.

/** What a role gives a right to, and whose it is. A team's are of its own apps alone. */
export const rights = {
  look: { says: 'Today, Health, Models', roles },
  spend: { says: 'Spend, Calls, receipts, CSV', roles },
  users: { says: 'see user ids', roles: ['team', 'finance', 'operator'] },
  keys: { says: 'issue, rotate, disable keys', roles: ['team', 'operator'] },
  money: { says: 'correct a cost, close a day, reconcile', roles: ['finance', 'operator'] },
  wallets: { says: 'top up, debit wallets', roles: ['team', 'finance', 'operator'] },
  operate: {
    says: 'budgets, plans, allow-lists, apps, projects, webhooks, runs',
    roles: ['operator'],
  },
  access: { says: 'tokens, sessions of others', roles: ['operator'] },
} as const satisfies Readonly<Record<string, { says: string; roles: readonly Role[] }>>;

/** What a role may give a right to. */
export type Right = keyof typeof rights;

/** What a route asks for: a right, to be a person, or nothing. */
export type Action = Right | 'signed-in' | 'anyone';

/** What the configuration leaves open. */
export interface RightOptions {
  /** Whether a team tops up the wallets of its own apps. */
  readonly teamWallets: boolean;
}

/** The rights of a role, in the table's order. */
export function rightsOf(role: Role, { teamWallets }: RightOptions): readonly Right[] {
  return rightNames.filter((right) => {
    if (right === 'wallets' && role === 'team' && !teamWallets) return false;
    const { roles: allowed }: { readonly roles: readonly Role[] } = rights[right];
    return allowed.includes(role);
  });
}

/** Every right, in the table's order. */
export const rightNames: readonly Right[] = [
  ...(['look', 'spend', 'users', 'keys', 'money', 'wallets', 'operate', 'access'] as const),
];
