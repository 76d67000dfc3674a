import { copiedLine } from '../lib/copied-line.ts';
import type { Log } from '../lib/log.ts';
import type { OnLines } from './audit-chain.ts';

/** Copies each line of the audit log into a log: who can change the store cannot change that. */
export function logLines(log: Pick<Log, 'info'>): OnLines {
  return (lines) => {
    for (const { id, at, ...line } of lines) {
      log.info({ audit: id, at: new Date(at).toISOString(), ...line }, copiedLine);
    }
  };
}
