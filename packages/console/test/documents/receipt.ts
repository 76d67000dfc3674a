import type {
  CallCorrected,
  CallDocument,
  Receipt,
} from '@model-gateway/server/operations/documents';
import { hold } from './holds.ts';

const usage = {
  ...{ inputTokens: 12_000, cachedInputTokens: 2_000, cacheWriteInputTokens: 0 },
  ...{ outputTokens: 900, reasoningTokens: 400 },
};
const call: CallDocument = {
  ...{ id: 'call_1', gatewayRequestId: 'req_1', traceId: 'trace_1', app: 'search' },
  ...{ keyId: 'key_1', remote: '10.0.0.1', platform: 'openai', day: '2026-11-22', userId: 'u7' },
  ...{ route: 'chat', model: 'gpt-5.4', scopes: ['group research'], state: 'finished' },
  ...{ code: 'OK', usage, costUsd: '0.0345', estimatedUsd: '0', basis: 'exact' },
  estimateReason: null,
  ...{ heldUsd: '0.5', instanceId: 'i_1', wallet: null, requestId: 'chatcmpl-1' },
  price: {
    ...{ inputUsdPerMillion: '2.5', cachedInputUsdPerMillion: '0.25', version: 'v1' },
    ...{ cacheWriteInputUsdPerMillion: '2.5', outputUsdPerMillion: '10' },
  },
  attempts: [
    {
      ...{ startedAt: '2026-11-22T14:58:00.100Z', tookMs: 812.4, outcome: 'answered' },
      ...{ status: 200, requestId: 'chatcmpl-1', model: 'gpt-5.4-2026', priceVersion: 'v1' },
      ...{ usage, costUsd: '0.0345', estimated: false, estimateReason: null },
    },
  ],
  corrections: [
    {
      ...{ at: '2026-11-22T14:59:00.000Z', actor: 'fin@acme.example', action: 'call.correct' },
      ...{ fromUsd: '0.04', toUsd: '0.0345', reason: 'the invoice says so', reference: null },
    },
  ],
  ...{ startedAt: '2026-11-22T14:58:00.000Z', endedAt: '2026-11-22T14:58:01.000Z' },
  ...{ tookMs: 1_000, firstMs: 412 },
};

/** A call with an exact bill. */
export const receipt: Receipt = {
  call,
  lines: [
    ...([
      { attempt: 1, kind: 'input', tokens: 10_000, usdPerMillion: '2.5', usd: '0.025' },
      { attempt: 1, kind: 'cachedInput', tokens: 2_000, usdPerMillion: '0.25', usd: '0.0005' },
      { attempt: 2, kind: 'output', tokens: 900, usdPerMillion: '10', usd: '0.009' },
    ] as const),
  ],
  ...{ totalUsd: '0.0345', matches: true, remarks: ['A remark about the second attempt.'] },
  budget: {
    ...{ heldUsd: '0.5', bookedUsd: '0.0345', freedUsd: '0.4655', dayCapUsd: '50' },
    ...{ daySpentUsd: '48.109', dayHeldUsd: '1.2' },
  },
  isStored: true,
};

/** A call that reached no platform. */
export const unbilledReceipt: Receipt = {
  call: {
    ...call,
    ...{ code: 'NO_PLATFORM', costUsd: '0', basis: 'free', requestId: null, userId: null },
    ...{ keyId: null, platform: null, price: null, attempts: [], corrections: [] },
  },
  ...{ lines: [], totalUsd: '0', matches: true, remarks: [], budget: null, isStored: false },
};

/** A running call. */
export const runningReceipt: Receipt = {
  ...{ call: hold, lines: [], totalUsd: null, matches: true, remarks: [], budget: null },
  isStored: false,
};

/** The correction of a cost to 0.03 USD. */
export const callCorrected: CallCorrected = {
  ...{ dryRun: false, changes: [] },
  result: {
    ...{ callId: 'call_1', app: 'search', day: '2026-11-22', usd: '0.03', costUsd: '0.0345' },
    ...{ heldUsd: '0.5', isLarge: false, isDone: false, call },
  },
};
