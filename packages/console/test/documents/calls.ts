import type {
  CallSummary,
  CallsPage,
  MostExpensiveCalls,
} from '@model-gateway/server/operations/documents';

const usage = {
  ...{ inputTokens: 1_240, cachedInputTokens: 1_024, cacheWriteInputTokens: 0 },
  ...{ outputTokens: 311, reasoningTokens: 64 },
};

const call: CallSummary = {
  ...{ id: 'call_1', startedAt: '2026-11-22T14:58:00.000Z', app: 'search', keyId: 'key_1' },
  ...{ userId: 'u7', model: 'gpt-5.4', platform: 'openai', code: 'OK', costUsd: '0.0231' },
  ...{ estimatedUsd: '0', basis: 'exact', usage, tookMs: 1_830, firstMs: 412, attempts: 1 },
};
const failedCall: CallSummary = {
  ...{ id: 'call_2', startedAt: '2026-11-22T14:57:00.000Z', app: 'tutor', keyId: null },
  ...{ userId: null, model: 'claude-opus', platform: null, code: 'UPSTREAM_ERROR' },
  ...{ costUsd: '1.509', estimatedUsd: '1.509', basis: 'estimated' },
  ...{ usage: { ...usage, outputTokens: 0, reasoningTokens: 0 }, tookMs: 26_004 },
  ...{ firstMs: null, attempts: 2 },
};

/** A page of calls, with older ones on the next page. */
export const calls: CallsPage = {
  ...{ items: [call, failedCall], after: 'call_2', searchedBackTo: null },
};

export const noCalls: CallsPage = { items: [], after: null, searchedBackTo: null };

/** No call within the time limit of a search. */
export const noCallsSoFar: CallsPage = {
  ...{ items: [], after: 'call_8', searchedBackTo: '2026-11-20T00:00:00.000Z' },
};

/** Calls by cost, from a search that could not read all of them. */
export const mostExpensiveCalls: MostExpensiveCalls = {
  items: [failedCall, call],
  unsearched: {
    since: '2026-11-01T00:00:00.000Z',
    until: '2026-11-10T00:00:00.000Z',
    atMostUsd: '2.5',
  },
};

export const noMostExpensiveCalls: MostExpensiveCalls = { items: [], unsearched: null };
