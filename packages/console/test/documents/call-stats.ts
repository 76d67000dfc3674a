import type { CallStats } from '@model-gateway/server/operations/documents';

const percentiles = { p50: 812, p95: 4_200 };

/** An hour with a failure, for two apps. */
export const callStats: CallStats = {
  ...{ calls: 1_200, errors: 30, costUsd: '8.4720914', tookMs: percentiles },
  firstMs: { p50: 318, p95: 900 },
  ...{ since: '2026-11-22T14:00:00.000Z', until: '2026-11-22T15:00:00.000Z', sliceMs: 1_800_000 },
  slices: [
    { at: '2026-11-22T14:00:00.000Z', calls: 500, errors: 0 },
    { at: '2026-11-22T14:30:00.000Z', calls: 700, errors: 30 },
  ],
  byApp: [
    {
      ...{ name: 'search', calls: 1_000, errors: 0, costUsd: '8', tookMs: percentiles },
      firstMs: percentiles,
    },
    {
      ...{ name: 'tutor', calls: 200, errors: 30, costUsd: '0.4720914', tookMs: percentiles },
      firstMs: null,
    },
  ],
  byModel: [
    {
      ...{ name: 'gpt-5.4', calls: 1_200, errors: 30, costUsd: '8.4720914' },
      ...{ tookMs: percentiles, firstMs: null },
    },
  ],
  searchedBackTo: null,
};

export const noCallStats: CallStats = {
  ...{ ...callStats, calls: 0, errors: 0, costUsd: '0', tookMs: null, firstMs: null },
  ...{ slices: [], byApp: [], byModel: [] },
};
