import type { SessionDocument } from '@model-gateway/server/operations/documents';

/** The time of every page's read. */
export const now = '2026-11-22T15:00:00.000Z';

/** An operator, with all permissions. */
export const operator: SessionDocument = {
  ...{ name: 'ada@acme.example', role: 'operator', apps: null, company: 'acme' },
  may: ['look', 'spend', 'users', 'keys', 'money', 'wallets', 'operate', 'access'],
  ...{ via: 'session', expiresAt: '2026-11-22T20:00:00.000Z', version: '1.2.3' },
};

/** A viewer, who may change nothing. */
export const viewer: SessionDocument = {
  ...{ ...operator, name: 'vera@acme.example', role: 'viewer', may: ['look', 'spend'] },
};

/** A team, with the keys of its apps. */
export const team: SessionDocument = {
  ...{ ...operator, name: 'bob@acme.example', role: 'team', apps: ['search', 'tutor'] },
  may: ['look', 'spend', 'users', 'keys'],
};
