import type { RequestLog } from '../calls/model/request-log.ts';
import type { KeyRejection } from '../domain/key-rejection.ts';
import type { Dialect } from './exchange/dialect.ts';
import { type Refusal, refused } from './exchange/refusal.ts';

/** The log gets the reason, and the caller the response that all get. */
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

/** A run that does not exist or has ended, or a request that runs may not make. */
export function rejectRun(log: RequestLog): Refusal {
  log.keyRejection = { reason: 'run' };
  return refused('FORBIDDEN');
}
