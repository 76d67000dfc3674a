import { formatUsd } from '@model-gateway/server/lib/money';
import { memberPicoUsd } from '../accounts.ts';

/** A kind of budget that a restore closes, and the app whose calls are held to it alone. */
export interface RestoredKind {
  /** As the header `x-budget-scope` writes it, of a run without its id; of a wallet its name. */
  readonly scope: string;
  readonly app: string;
  /** The name by which an operator opens it alone; undefined where only all are opened. */
  readonly opens?: string;
  readonly span: 'day' | 'month' | 'run';
}

/** How many calls fit each of them. */
export const kindFits = 4;

/** The key with a cap, in the place of its id. */
export const restoredKey = 'key:';

/** Every kind there is. */
export const restoredKinds: readonly RestoredKind[] = [
  { scope: 'app-day', app: 'daily', span: 'day' },
  { scope: 'app-month', app: 'monthly', span: 'month', opens: 'app:monthly' },
  { scope: 'group-day:lab', app: 'member', span: 'day', opens: 'lab' },
  { scope: 'group-month:crew', app: 'mate', span: 'month', opens: 'crew' },
  { scope: 'key-month', app: 'keyed', span: 'month', opens: restoredKey },
  { scope: 'user-day', app: 'used', span: 'day', opens: 'users:used' },
  { scope: 'run', app: 'running', span: 'run' },
  { scope: 'wallet', app: 'metered', span: 'month' },
];

/** The cap of each. */
export const kindPicoUsd = BigInt(kindFits) * memberPicoUsd;

const picoUsdPerCredit = 1_000_000n;

/** The apps and groups, as the configuration declares them; key and run are made by their app. */
export function restoredYaml(parts: { readonly store: string; readonly models: string }): string {
  const cap = formatUsd(kindPicoUsd);
  const credits = `monthlyGrant: "${kindPicoUsd / picoUsdPerCredit}", usdPerCredit: "${formatUsd(picoUsdPerCredit)}"`;
  return `
company: attack
store: ${JSON.stringify(parts.store)}
platforms: { sandbox: { kind: simulator } }
models:
${parts.models}
apps:
  - { name: daily, dailyBudgetUsd: "${cap}" }
  - { name: monthly, monthlyBudgetUsd: "${cap}" }
  - { name: member }
  - { name: mate }
  - { name: keyed }
  - { name: used, perUserDailyUsd: "${cap}" }
  - { name: running }
  - { name: metered, credits: { ${credits} } }
budgets:
  - { name: lab, apps: [member], dailyUsd: "${cap}" }
  - { name: crew, apps: [mate], monthlyUsd: "${cap}" }
`;
}
