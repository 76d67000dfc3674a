import type { App } from '../../../domain/registered-app.ts';
import { isUserId, userIdRule } from '../../../registry/user-id.ts';
import { checkOnce } from '../../body/check-once.ts';
import { invalid } from '../../body/parse.ts';
import type { RequestHead } from '../../exchange/dialect.ts';
import { compatibleHeaders } from './header-names.ts';

export interface NamedUsers {
  /** In order of precedence. */
  readonly fields: Readonly<Record<string, string | undefined>>;
  readonly metadata: unknown;
}

/**
 * The header wins. Throws INVALID for an impossible id in a header, or in a field if the app has
 * user budgets. Otherwise a field is only a label.
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
