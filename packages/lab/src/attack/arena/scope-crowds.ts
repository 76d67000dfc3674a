/** Sent at once, after the crowds of earlier waves. */
export interface ScopeCrowd {
  /** In the format of the header `x-budget-scope`; for a run without its id. */
  readonly scope: string;
  readonly app: 'capped' | 'monthly' | 'grouped' | 'teamed';
  readonly fits: number;
  readonly wave: number;
  readonly within: readonly string[];
  /** Set if one user makes all calls; otherwise each call has its own. */
  readonly userId?: string;
  readonly hasCappedKey?: true;
  readonly isInRun?: true;
}

export const scopeGroups = {
  pair: { name: 'pair', apps: ['capped', 'grouped'] },
  team: { name: 'team', apps: ['capped', 'monthly', 'grouped', 'teamed'] },
} as const;

const pair = `group-day:${scopeGroups.pair.name}`;
const team = `group-month:${scopeGroups.team.name}`;

/** Inner budgets first: each crowd fills its budget to the last pico-USD. */
export const scopeCrowds: readonly ScopeCrowd[] = [
  {
    ...{ scope: 'user-day', app: 'capped', fits: 3, wave: 0, userId: 'ada' },
    within: ['app-day', pair, team],
  },
  {
    ...{ scope: 'key-day', app: 'capped', fits: 8, wave: 0, hasCappedKey: true },
    within: ['app-day', pair, team],
  },
  {
    ...{ scope: 'run', app: 'capped', fits: 5, wave: 0, isInRun: true },
    within: ['app-day', pair, team],
  },
  { scope: 'app-month', app: 'monthly', fits: 9, wave: 0, within: [team] },
  { scope: 'app-day', app: 'capped', fits: 3, wave: 1, within: [pair, team] },
  { scope: pair, app: 'grouped', fits: 6, wave: 2, within: [team] },
  { scope: team, app: 'teamed', fits: 5, wave: 3, within: [] },
];

export function isHeldTo({ scope, within }: ScopeCrowd, other: string): boolean {
  return scope === other || within.includes(other);
}

export function fitsOf(crowds: readonly ScopeCrowd[]): number {
  return crowds.reduce((total, { fits }) => total + fits, 0);
}
