import { isUserId, userIdRule } from '../../../registry/user-id.ts';
import { checkOnce } from '../../body/check-once.ts';
import { invalid } from '../../body/parse.ts';
import type { RequestHead } from '../dialect.ts';
import { compatibleHeaders } from './header-names.ts';

/** Where a body may name its user. */
export interface NamedUsers {
  /** Fields that are for this, by their names, in their order. */
  readonly fields: Readonly<Record<string, string | undefined>>;
  /** What clients fill with what they like: it counts where it can be an id. */
  readonly metadata: unknown;
}

/** Whose wallet pays: the header says it first. Throws INVALID for what is meant, and is no id. */
export function userIdOf(request: RequestHead, { fields, metadata }: NamedUsers) {
  const name = compatibleHeaders.userId;
  const sent = request.header(name);
  if (sent !== undefined) {
    checkOnce(request, name);
    return checked(name, sent);
  }
  for (const [field, value] of Object.entries(fields)) {
    if (value !== undefined) return checked(field, value);
  }
  return typeof metadata === 'string' && isUserId(metadata) ? metadata : undefined;
}

function checked(name: string, value: string): string {
  if (isUserId(value)) return value;
  throw invalid(name, userIdRule);
}
