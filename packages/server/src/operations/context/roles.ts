import { type Role, roles } from '../../domain/role.ts';

// The one table of who may do what: routes, the pages' buttons, the description and the documents
// are made of it.

/** A team's rights cover only its own apps. */
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

export type Right = keyof typeof rights;

/** A right, to be a person, or nothing. */
export type Action = Right | 'signed-in' | 'anyone';

export interface RightOptions {
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
