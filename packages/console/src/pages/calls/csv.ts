import type { CallSummary } from '@model-gateway/server/operations/documents';

const columns: readonly (readonly [
  head: string,
  of: (call: CallSummary) => string | number | null,
])[] = [
  ['id', ({ id }) => id],
  ['startedAt', ({ startedAt }) => startedAt],
  ['app', ({ app }) => app],
  ['keyId', ({ keyId }) => keyId],
  ['userId', ({ userId }) => userId],
  ['model', ({ model }) => model],
  ['platform', ({ platform }) => platform],
  ['code', ({ code }) => code],
  ['costUsd', ({ costUsd }) => costUsd],
  ['estimatedUsd', ({ estimatedUsd }) => estimatedUsd],
  ['basis', ({ basis }) => basis],
  ['inputTokens', ({ usage }) => usage.inputTokens],
  ['cachedInputTokens', ({ usage }) => usage.cachedInputTokens],
  ['cacheWriteInputTokens', ({ usage }) => usage.cacheWriteInputTokens],
  ['outputTokens', ({ usage }) => usage.outputTokens],
  ['reasoningTokens', ({ usage }) => usage.reasoningTokens],
  ['tookMs', ({ tookMs }) => tookMs],
  ['firstMs', ({ firstMs }) => firstMs],
  ['attempts', ({ attempts }) => attempts],
];

/** The calls as this reader sees them, exact, with the columns of the service's file. */
export function csvOf(calls: readonly CallSummary[]): string {
  const lines = calls.map((call) => columns.map(([, of]) => fieldOf(of(call) ?? '')).join(','));
  return [columns.map(([head]) => head).join(','), ...lines, ''].join('\n');
}

/** A spreadsheet must not interpret a caller's name as a formula. */
function fieldOf(value: string | number): string {
  const text = String(value);
  const isNumber = /^-?\d+(?:\.\d+)?$/.test(text);
  const safe = !isNumber && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
