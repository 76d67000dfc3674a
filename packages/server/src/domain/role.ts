/** What a person of the console may be. */
export const roles = ['viewer', 'team', 'finance', 'operator'] as const;
export type Role = (typeof roles)[number];
