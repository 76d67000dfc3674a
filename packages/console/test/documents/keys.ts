import type {
  KeyChanged,
  KeyCounts,
  KeyIssued,
  KeysPage,
  ListedKey,
} from '@model-gateway/server/operations/documents';

/** A key with a use one minute ago. */
export const key: ListedKey = {
  ...{ id: 'key_1', name: 'search for ada', customerId: 'ada@acme.example', role: 'user' },
  ...{ app: 'search', enabled: true, createdAt: '2026-10-01T08:00:00.000Z', note: 'the crawler' },
  ...{ lastUsedAt: '2026-11-22T14:59:00.000Z', callsToday: 24_001, spentTodayUsd: '47.009' },
  ...{ state: 'active', contact: 'ada@acme.example' },
};

/** A key that no longer works. */
export const disabledKey: ListedKey = {
  ...{ id: 'key_2', name: 'tutor for bob', customerId: 'bob@acme.example', role: 'admin' },
  ...{ app: 'tutor', enabled: false, createdAt: '2026-09-01T08:00:00.000Z' },
  ...{ expiresAt: '2026-12-01T00:00:00.000Z', lastUsedAt: null, callsToday: null },
  ...{ spentTodayUsd: null, disabledBy: 'cli:ann', disabledRole: 'operator' },
  ...{ state: 'disabled', contact: 'bob@acme.example' },
};

/** The key that replaces the first one. */
export const nextKey: ListedKey = {
  ...{ ...key, id: 'key_3', createdAt: '2026-11-22T14:00:00.000Z', rotatedFrom: 'key_1' },
  ...{ lastUsedAt: '2026-11-22T14:50:00.000Z', callsToday: 17, spentTodayUsd: '0.25' },
  state: 'new',
};

/** The first one, replaced. */
export const oldKey: ListedKey = { ...key, state: 'replaced', replacedBy: 'key_3' };

/** Two keys of two apps. */
export const keys: KeysPage = { items: [key, disabledKey], after: null };

/** The counts of the two keys. */
export const keyCounts: KeyCounts = {
  states: { all: 2, used: 1, rotating: 0, disabled: 1 },
  apps: ['search', 'tutor'].map((value) => ({ value, count: 1 })),
  contacts: ['ada@acme.example', 'bob@acme.example'].map((value) => ({ value, count: 1 })),
  openRotations: { count: 0, first: [] },
};

export const noKeys: KeysPage = { items: [], after: null };

/** A key with its secret. */
export const keyIssued: KeyIssued = {
  dryRun: false,
  changes: [{ action: 'key.create', subject: 'key_3', before: null, after: '{"app":"search"}' }],
  result: {
    ...{ id: 'key_3', key: 'mgk_the_secret', name: 'search for ada' },
    ...{ customerId: 'ada@acme.example', role: 'user' },
  },
};

/** A disabled key. */
export const keyDisabled: KeyChanged = {
  dryRun: false,
  changes: [{ action: 'key.disable', subject: 'key_1', before: 'true', after: 'false' }],
  result: {
    ...{ id: 'key_1', name: 'search for ada', customerId: 'ada@acme.example', role: 'user' },
    ...{ app: 'search', enabled: false, createdAt: '2026-10-01T08:00:00.000Z' },
  },
};
