import { formatUsd } from '@model-gateway/server/lib/money';
import { memberPicoUsd } from '../arena/accounts.ts';

/** A restore closes it, and nothing else limits its app's calls. */
export interface RestoredKind {
  /**
   * In the format of the header `x-budget-scope`, for a run without its id; for a wallet its name.
   */
  readonly scope: string;
  readonly app: string;
  /** The operator's name for it; undefined if only all budgets together can be opened. */
  readonly opens?: string;
  readonly span: 'day' | 'month' | 'run';
}

export const kindFits = 4;

/** Without the key's id. */
export const restoredKey = 'key:';

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

export const kindPicoUsd = BigInt(kindFits) * memberPicoUsd;

const picoUsdPerCredit = 1_000_000n;

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
