import type {
  AdminToken,
  IssuedToken,
  RightsPage,
  SessionsPage,
  TokensPage,
} from '@model-gateway/server/operations/documents';

/** The reader's session and another one. */
export const sessions: SessionsPage = {
  items: [
    {
      ...{ id: 's_1', name: 'ada@acme.example', role: 'operator', apps: null, isOwn: true },
      ...{ createdAt: '2026-11-22T12:00:00.000Z', seenAt: '2026-11-22T15:00:00.000Z' },
      expiresAt: '2026-11-22T20:00:00.000Z',
    },
    {
      ...{ id: 's_2', name: 'tom@acme.example', role: 'team', apps: ['tutor'], isOwn: false },
      ...{ createdAt: '2026-11-22T13:00:00.000Z', seenAt: '2026-11-22T14:00:00.000Z' },
      expiresAt: '2026-11-22T21:00:00.000Z',
    },
  ],
  after: null,
};

export const noSessions: SessionsPage = { items: [], after: null };

const token: AdminToken = {
  ...{ id: 't_1', name: 'nightly report', role: 'finance', apps: null, enabled: true },
  ...{ createdAt: '2026-11-01T00:00:00.000Z', expiresAt: '2027-01-30T00:00:00.000Z' },
};

/** A working token. */
export const tokens: TokensPage = { items: [token], after: null };

export const noTokens: TokensPage = { items: [], after: null };

/** A token with its secret. */
export const issuedToken: IssuedToken = { ...token, id: 't_2', token: 'mgt_the_secret' };

/** The rights of each role. */
export const roles: RightsPage = {
  items: [
    {
      ...{ right: 'look', says: 'Today, Health, Models' },
      roles: ['viewer', 'team', 'finance', 'operator'],
    },
    { right: 'money', says: 'correct a cost', roles: ['finance', 'operator'] },
  ],
  after: null,
};
