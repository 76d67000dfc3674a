import { badValue } from '../context/admin-error.ts';
import { checkUser } from '../context/seen.ts';
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
  app: optional(app('only those of one app')),
  user: optional(line(200, 'only those on behalf of this user', 'id')),
  key: optional(line(200, 'only those of an API key, by its id', 'id')),
  model: optional(line(200, 'only those of a model', 'id')),
  code: optional(
    matching(/^[A-Z][A-Z_]*$/, {
      ...{ rule: 'a code such as OK or TIMEOUT', placeholder: 'code' },
      about: 'only those that ended so: OK, TIMEOUT, LOST, …',
    }),
  ),
  platform: optional(line(200, 'only the calls of a platform', 'name')),
  failed: flag('only failed calls: another code than OK'),
  since: optional(since('from then on: a day, a time of it, or so long ago: 30m, 24h, 7d')),
  until: optional(since('before then')),
  minUsd: optional(usd('only those that cost as much')),
  estimated: flag('only those whose cost is an estimate, in whole or in part'),
};

export const filters = {
  ...callFilters,
  limit: optional(count(200, 'how many at most, up to 200 (50)')),
};

export function callId(about: string) {
  return matching(/^call_[0-9a-z]{26}$/, {
    rule: 'the id of a call, call_ and 26 characters, with which the page before ended',
    ...{ about, placeholder: 'id' },
  });
}

/** Limited to what the asker may see. */
export function searchOf(
  { who, apps }: Operating,
  search: Input<typeof callFilters> & { readonly limit?: number | undefined },
) {
  const { user: userId, key: keyId, minUsd: minPicoUsd, limit = 50, ...rest } = search;
  const { estimated, failed, ...same } = rest;
  checkUser(who, userId);
  const { since: from, until } = same;
  if (from !== undefined && until !== undefined && until <= from)
    throw badValue('until', 'there is no time between since and until');
  const only = { isEstimated: estimated === true, isFailed: failed === true };
  return { ...same, ...only, apps, userId, keyId, minPicoUsd, limit };
}
