import { badValue } from '../context/admin-error.ts';
import { checkUser } from '../context/masking.ts';
import {
  app,
  count,
  flag,
  type Input,
  line,
  matching,
  optional,
  usd,
} from '../description/field.ts';
import type { Operating } from '../description/operation.ts';
import { since } from '../description/time-fields.ts';

export const callFilters = {
  app: optional(app('only calls of this app')),
  user: optional(line(200, 'only calls on behalf of this user', 'id')),
  key: optional(line(200, 'only calls of the API key with this id', 'id')),
  model: optional(line(200, 'only calls of this model', 'id')),
  code: optional(
    matching(/^[A-Z][A-Z_]*$/, {
      ...{ rule: 'a code such as OK or TIMEOUT', placeholder: 'code' },
      about: 'only calls with this result code: OK, TIMEOUT, LOST, …',
    }),
  ),
  platform: optional(line(200, 'only calls of this platform', 'name')),
  failed: flag('only failed calls: result code other than OK'),
  since: optional(since('start time: a day, a time, or a time ago: 30m, 24h, 7d')),
  until: optional(since('end time (exclusive)')),
  minUsd: optional(usd('minimum cost in USD')),
  estimated: flag('only calls whose cost is estimated, wholly or in part'),
};

export const filters = {
  ...callFilters,
  limit: optional(count(200, 'maximum rows, up to 200 (default: 50)')),
};

export function callId(about: string) {
  return matching(/^call_[0-9a-z]{26}$/, {
    rule: 'a call id, call_ and 26 characters, from the last row of the previous page',
    ...{ about, placeholder: 'id' },
  });
}

/** Limits the search to the session's apps. */
export function searchOf(
  { session, apps }: Operating,
  search: Input<typeof callFilters> & { readonly limit?: number | undefined },
) {
  const { user: userId, key: keyId, minUsd: minPicoUsd, limit = 50, ...rest } = search;
  const { estimated, failed, ...same } = rest;
  checkUser(session, userId);
  const { since: from, until } = same;
  if (from !== undefined && until !== undefined && until <= from)
    throw badValue('until', 'until must be later than since');
  const only = { isEstimated: estimated === true, isFailed: failed === true };
  return { ...same, ...only, apps, userId, keyId, minPicoUsd, limit };
}
