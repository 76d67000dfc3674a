import assert from 'node:assert';
import { CallError } from '../../../calls/call-error.ts';
import { credentialOf } from '../compatible/credential.ts';
import type { Dialect } from '../dialect.ts';
import { events } from '../gateway/events.ts';
import { idempotencyKeyOf } from '../gateway/idempotency-key.ts';
import { refuse } from './refuse.ts';
import { routeRows } from './route-rows.ts';

/** OpenAI's API, below `/openai`. */
export const openai: Dialect = {
  name: 'openai',
  credential: credentialOf,
  idempotencyKey: idempotencyKeyOf,
  encode: () => assert.fail('none of its routes makes a call'),
  encodeReport: (report) => ({ status: 200, body: JSON.stringify(report), headers: {} }),
  stream: events,
  refuse,
  noRoute(method, path) {
    const wanted = `${method} ${path}`.slice(0, 200);
    return new CallError('NOT_FOUND', `There is no ${wanted}; the routes are ${routeList}.`);
  },
};

const routeList = Object.values(routeRows)
  .map(({ method, path }) => `${method} ${path.replace(/:(\w+)/, '{$1}')}`)
  .join(', ');
