/** Calls at once that are to fill one cap, after the crowds of the waves before. */
export interface ScopeCrowd {
  /** The cap, as the header `x-budget-scope` writes it; of a run without its id. */
  readonly scope: string;
  readonly app: 'capped' | 'monthly' | 'grouped' | 'teamed';
  readonly fits: number;
  readonly wave: number;
  /** The other caps that its calls are held to, which have room for them. */
  readonly within: readonly string[];
  /** Set where one user asks for all; else each call has a user of its own. */
  readonly userId?: string;
  /** Set where they are made with the key that has a cap. */
  readonly hasCappedKey?: true;
  /** Set where they are made with the key of a run, which is made for them. */
  readonly isInRun?: true;
}

/** The groups; callers may be told the amounts of the second. */
export const scopeGroups = {
  pair: { name: 'pair', apps: ['capped', 'grouped'] },
  team: { name: 'team', apps: ['capped', 'monthly', 'grouped', 'teamed'] },
} as const;

const pair = `group-day:${scopeGroups.pair.name}`;
const team = `group-month:${scopeGroups.team.name}`;

/** Caps within caps, the inner ones first: each is full to the last pico-USD by its own crowd. */
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

/** Whether a crowd's calls are held to a cap. */
export function isHeldTo({ scope, within }: ScopeCrowd, other: string): boolean {
  return scope === other || within.includes(other);
}

/** How many calls fit, of all these crowds. */
export function fitsOf(crowds: readonly ScopeCrowd[]): number {
  return crowds.reduce((total, { fits }) => total + fits, 0);
}
