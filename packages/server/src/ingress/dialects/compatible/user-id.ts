import type { App } from '../../../domain/registered-app.ts';
import { isUserId, userIdRule } from '../../../registry/user-id.ts';
import { checkOnce } from '../../body/check-once.ts';
import { invalid } from '../../body/parse.ts';
import type { RequestHead } from '../../exchange/dialect.ts';
import { compatibleHeaders } from './header-names.ts';

/** Where a body may name its user. */
export interface NamedUsers {
  /** Fields that are for this, by their names, in their order. */
  readonly fields: Readonly<Record<string, string | undefined>>;
  /** What clients fill with what they like: it counts where it can be an id. */
  readonly metadata: unknown;
}

/**
 * Whose wallet pays: the header first. Throws INVALID for a header that cannot be an id. So is a
 * field where the app has budgets of users; of other apps it is a label, which counts if it can.
 */
export function userIdOf(
  request: RequestHead,
  { fields, metadata }: NamedUsers,
  app: Pick<App, 'credits' | 'perUserDailyPicoUsd'>,
) {
  const name = compatibleHeaders.userId;
  const sent = request.header(name);
  if (sent !== undefined) {
    checkOnce(request, name);
    return checked(name, sent);
  }
  const isNeeded = app.credits !== undefined || app.perUserDailyPicoUsd !== undefined;
  for (const [field, value] of Object.entries(fields)) {
    if (value !== undefined && (isNeeded || isUserId(value))) return checked(field, value);
  }
  return typeof metadata === 'string' && isUserId(metadata) ? metadata : undefined;
}

function checked(name: string, value: string): string {
  if (isUserId(value)) return value;
  throw invalid(name, userIdRule);
}
