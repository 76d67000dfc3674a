/** What one request's log line says; filled on its way, never with a prompt, an answer or a key. */
export interface Trace {
  app?: string;
  model?: string;
  callId?: string;
  code?: string;
  /** True while the request waits for another one with the same key. */
  isWaiting?: boolean;
  attempts?: number;
  inputTokens?: number;
  outputTokens?: number;
  costUsd?: string | null;
  estimated?: boolean;
  /** Why an INTERNAL happened, and what the platform said: for operators alone. */
  cause?: string;
  /** Milliseconds of admission and reservation, of the platform, of the settlement. */
  reserveMs?: number;
  modelMs?: number;
  settleMs?: number;
}
