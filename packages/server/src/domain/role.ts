export const roles = ['viewer', 'team', 'finance', 'operator'] as const;
export type Role = (typeof roles)[number];
