import { type Clock, every } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { Store } from '../store/port/port.ts';
import { readHead } from '../store/queries/audit-chain.ts';

const hourMs = 3_600_000;

/** Logs the head every hour: a chain that was truncated and rebuilt no longer matches the log. */
export function startAuditHead(parts: {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
}): { stop(): Promise<void> } {
  const { store, clock, log } = parts;
  return every(clock, hourMs, logHead, (error) =>
    log.warn({ error: String(error) }, 'the head of the audit log was not read'),
  );

  async function logHead() {
    log.info({ ...(await store.read(readHead)) }, 'the head of the audit log');
  }
}
