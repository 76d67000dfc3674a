import { copiedLine } from '../../lib/copied-line.ts';
import type { Log } from '../../lib/log.ts';
import type { OnLines } from './audit-chain.ts';

/** A person who can change the store cannot change the log. */
export function logLines(log: Pick<Log, 'info'>): OnLines {
  return (lines) => {
    for (const { id, at, ...line } of lines) {
      log.info({ audit: id, at: new Date(at).toISOString(), ...line }, copiedLine);
    }
  };
}
