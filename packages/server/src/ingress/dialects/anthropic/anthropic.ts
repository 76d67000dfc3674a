import type { Dialect } from '../../exchange/dialect.ts';
import { compatibleKeyOf } from '../compatible/idempotency-key.ts';
import { encodeRelayed, relayedEvents } from '../relay/relayed-events.ts';
import { routeListOf } from '../route-list.ts';
import { names } from './names.ts';
import { errorEvent, refuse, withRequestId } from './refuse.ts';
import { routeRows } from './route-rows.ts';

export const anthropic: Dialect = {
  name: 'anthropic',
  names,
  withRequestId,
  readsBearer: true,
  idempotencyKey: compatibleKeyOf,
  encode: (result, request) =>
    result.kind === 'failed' ? refuse(result.error, request) : encodeRelayed(result),
  encodeReport(report) {
    // A count that no tokenizer has made says so.
    const headers = 'input_tokens' in report ? estimated : {};
    return { status: 200, body: JSON.stringify(report), headers };
  },
  stream: relayedEvents(errorEvent),
  refuse,
  routeList: () => routeList,
};

const estimated = { 'x-input-tokens-estimated': 'true' } as const;

const routeList = routeListOf(Object.values(routeRows));
