import { CallError } from '../../../calls/call-error.ts';
import { credentialOf } from '../compatible/credential.ts';
import { compatibleKeyOf } from '../compatible/idempotency-key.ts';
import type { Dialect } from '../dialect.ts';
import { encodeRelayed, relayedEvents } from '../relay/relayed-events.ts';
import { names } from './names.ts';
import { errorEvent, refuse, withRequestId } from './refuse.ts';
import { routeRows } from './route-rows.ts';

/** Anthropic's API, below `/anthropic`. */
export const anthropic: Dialect = {
  name: 'anthropic',
  names,
  withRequestId,
  credential: credentialOf,
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
  noRoute(method, path) {
    const wanted = `${method} ${path}`.slice(0, 200);
    return new CallError('NOT_FOUND', `There is no ${wanted}; the routes are ${routeList}.`);
  },
};

const estimated = { 'x-input-tokens-estimated': 'true' } as const;

const routeList = Object.values(routeRows)
  .map(({ method, path }) => `${method} ${path}`)
  .join(', ');
