import type { AppPage, RunEnded } from '@model-gateway/server/operations/documents';
import { search, tutor } from './apps.ts';

const totals = {
  ...{ calls: 24_690, errors: 4, inputTokens: 1_000, cachedInputTokens: 100 },
  ...{ cacheWriteInputTokens: 10, outputTokens: 500, reasoningTokens: 50 },
  ...{ costUsd: '48.109', estimatedUsd: '0', unpricedCalls: 0 },
};
const plan = { ratePerSecond: 5, burst: 10, requestsPerDay: 20_000 };
const run = {
  ...{ id: 'run_1', app: 'search', label: 'nightly index', userId: 'u7', parentKeyId: 'key_1' },
  ...{ models: null, maxCostUsd: '3', spentUsd: '1.25', heldUsd: '0.25', remainingUsd: '1.5' },
  ...{ createdAt: '2026-11-22T12:00:00.000Z', expiresAt: '2026-11-22T18:00:00.000Z' },
  endedAt: null,
};

/** An app with budgets, calls, rejected requests, a project and a run. */
export const app: AppPage = {
  settings: search,
  usage: {
    ...{ app: 'search', project: 'acme-search', day: '2026-11-22' },
    budget: {
      ...{ capUsd: '50', spentUsd: '48.109', heldUsd: '1.2', remainingUsd: '0.691' },
      resetsAt: '2026-11-23T00:00:00.000Z',
    },
    scopes: [
      {
        ...{ scope: 'group-month:research', mode: 'shadow', capUsd: '900', spentUsd: '611.5' },
        ...{ heldUsd: '2', remainingUsd: '286.5', resetsAt: '2026-12-01T00:00:00.000Z' },
      },
    ],
    ...{ totals, models: [{ model: 'gpt-5.4', ...totals }] },
    history: [{ day: '2026-11-22', calls: 24_690, costUsd: '48.109' }],
  },
  heldUsd: '1.2',
  forecast: {
    ...{ exhaustedAt: null, endOfDayUsd: '76.97' },
    basis: 'the last hour, until midnight UTC',
  },
  plans: { user: plan, admin: { ...plan, ratePerSecond: 50 } },
  projects: [{ app: 'search', platform: 'openai', projectId: 'proj_9' }],
  refusals: [
    {
      ...{ at: '2026-11-22T14:00:00.000Z', app: 'search', code: 'BUDGET_EXCEEDED', count: 1_012 },
      lastAt: '2026-11-22T14:59:30.000Z',
      lastMessage: 'The budget of the day is used up',
      lastRequestId: 'req_7',
    },
  ],
  days: [
    { day: '2026-11-21', costUsd: '31.25', calls: 12_001 },
    { day: '2026-11-22', costUsd: '48.109', calls: 24_690 },
  ],
  runs: [run],
};

/** An app from today, still empty. */
export const emptyApp: AppPage = {
  settings: { ...tutor, enabled: true },
  usage: {
    ...{ app: 'tutor', project: 'acme-tutor', day: '2026-11-22', budget: null, scopes: [] },
    totals: {
      ...{ calls: 0, errors: 0, inputTokens: 0, cachedInputTokens: 0, cacheWriteInputTokens: 0 },
      ...{ outputTokens: 0, reasoningTokens: 0, costUsd: '0', estimatedUsd: '0', unpricedCalls: 0 },
    },
    ...{ models: [], history: [] },
  },
  heldUsd: '0',
  forecast: { exhaustedAt: null, endOfDayUsd: '0', basis: 'no call today' },
  ...{ plans: { user: plan, admin: plan }, projects: [], refusals: [], runs: [] },
  days: [{ day: '2026-11-22', costUsd: '0', calls: 0 }],
};

/** The end of its run. */
export const runEnded: RunEnded = {
  ...{ dryRun: false, changes: [], result: { ...run, endedAt: '2026-11-22T15:00:00.000Z' } },
};
