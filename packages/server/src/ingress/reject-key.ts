import type { RequestLog } from '../calls/model/request-log.ts';
import type { KeyRejection } from '../domain/key-rejection.ts';
import type { Dialect } from './exchange/dialect.ts';
import { type Refusal, refused } from './exchange/refusal.ts';

/** Only the log contains the reason; all callers get the same response. */
export function rejectKey(
  rejection: KeyRejection,
  { twoKeys }: Pick<Dialect, 'twoKeys'>,
  log: RequestLog,
): Refusal {
  log.keyRejection = rejection;
  if (rejection.reason !== 'two-keys' || twoKeys === undefined) return refused('FORBIDDEN');
  const error = twoKeys();
  log.code = error.code;
  return error;
}

/** Unknown or ended run, or a request that runs cannot make. */
export function rejectRun(log: RequestLog): Refusal {
  log.keyRejection = { reason: 'run' };
  return refused('FORBIDDEN');
}
