import type {
  HoldDocument,
  HoldsPage,
  RunningCalls,
} from '@model-gateway/server/operations/documents';

/** A running call. */
export const hold: HoldDocument = {
  ...{ id: 'call_9', gatewayRequestId: 'req_9', app: 'search', keyId: 'key_1', remote: null },
  ...{ platform: 'openai', day: '2026-11-22', userId: 'u7', route: 'chat', model: 'gpt-5.4' },
  ...{ state: 'running', heldUsd: '1.209', wallet: null, extensions: 0, instanceId: 'i_1' },
  ...{ startedAt: '2026-11-22T14:59:58.000Z', expiresAt: '2026-11-22T15:10:00.000Z' },
};

export const holds: HoldsPage = { items: [hold], after: null };

export const noHolds: HoldsPage = { items: [], after: null };

/** The first of many. */
export const running: RunningCalls = { items: [hold], after: 'call_9', count: 1_203 };

export const noneRunning: RunningCalls = { items: [], after: null, count: 0 };
