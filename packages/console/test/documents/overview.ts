import type { Overview } from '@model-gateway/server/operations/documents';

/** A day with two apps, one problem and one kind of rejected request. */
export const overview: Overview = {
  ...{ at: '2026-11-22T15:00:00.000Z', day: '2026-11-22', resetsAt: '2026-11-23T00:00:00.000Z' },
  totals: {
    ...{ spentUsd: '63.449999999999', heldUsd: '1.71', estimatedUsd: '0.0051' },
    ...{ calls: 185_175, errors: 3, refused: 12 },
  },
  running: 3,
  hours: [
    ...Array.from({ length: 15 }, (_, hour) => ({
      ...{ hour, spentUsd: hour < 8 ? '0' : '8', calls: hour < 8 ? 0 : 26_000 },
      ...{ errors: hour === 9 ? 3 : 0, refused: hour === 14 ? 12 : 0 },
    })),
    { hour: 15, spentUsd: '7.449999999999', calls: 3_175, errors: 0, refused: 0 },
  ],
  forecast: [16, 17, 18, 19, 20, 21, 22, 23, 24].map((hour) => ({
    ...{ hour, spentUsd: String(63.34 + (hour - 15) * 3) },
  })),
  yesterday: {
    ...{ until: '2026-11-22T15:00:00.000Z', todayUsd: '56', yesterdayUsd: '41.2' },
    ...{ todayCalls: 182_000, yesterdayCalls: 120_400 },
  },
  models: [
    { model: 'claude-sonnet-4-5', spentUsd: '50.1', calls: 100_000, errors: 3 },
    { model: 'gpt-5-mini', spentUsd: '13.349999999999', calls: 85_175, errors: 0 },
  ],
  otherModels: null,
  problems: [{ kind: 'unpriced', text: 'gpt-next has no price', href: '/console/models' }],
  healthy: 'the store answers, every circuit is closed',
  apps: [
    {
      ...{ app: 'search', enabled: true, capUsd: '50', spentUsd: '48.109', heldUsd: '1.2' },
      ...{ leftUsd: '0.691', usedPercent: 98, estimatedUsd: '0', calls: 24_690 },
      ...{ errors: 0, refused: 12, usedUpSince: null },
      forecast: { exhaustedAt: '2026-11-22T15:21:00.000Z', endOfDayUsd: '76', basis: 'linear' },
    },
    {
      ...{ app: 'tutor', enabled: false, capUsd: null, spentUsd: '15.34', heldUsd: '0.51' },
      ...{ leftUsd: null, usedPercent: null, estimatedUsd: '0.0051', calls: 160_485 },
      ...{ errors: 3, refused: 0, usedUpSince: null },
      forecast: { exhaustedAt: null, endOfDayUsd: '24.5', basis: 'linear' },
    },
  ],
  refusals: [
    {
      ...{ at: '2026-11-22T14:00:00.000Z', app: 'search', code: 'BUDGET_EXCEEDED', count: 1_012 },
      lastAt: '2026-11-22T14:59:30.000Z',
      lastMessage: 'The budget of the day is used up',
      lastRequestId: 'req_7',
    },
  ],
  refusedToday: [
    {
      ...{ app: 'search', code: 'BUDGET_EXCEEDED', count: 1_012 },
      lastAt: '2026-11-22T14:59:30.000Z',
      lastMessage: 'The budget of the day is used up',
      lastRequestId: 'req_7',
    },
  ],
  ...{ hasCalls: true, lastCall: 'call_1' },
  hasSampleKeys: false,
  firstCall: "curl 'http://127.0.0.1:8787/v1/chat'",
};

/** The same service before its first call. */
export const overviewWithoutCalls: Overview = {
  ...overview,
  totals: { spentUsd: '0', heldUsd: '0', estimatedUsd: '0', calls: 0, errors: 0, refused: 0 },
  ...{ hours: [], forecast: [], yesterday: null, models: [], running: 0, refusedToday: [] },
  ...{ problems: [], apps: [], refusals: [], hasCalls: false, lastCall: null },
};
