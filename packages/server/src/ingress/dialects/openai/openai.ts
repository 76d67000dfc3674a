import { CallError } from '../../../calls/call-error.ts';
import { credentialOf } from '../compatible/credential.ts';
import { compatibleKeyOf } from '../compatible/idempotency-key.ts';
import type { Dialect } from '../dialect.ts';
import { encodeCompletion } from './chat/encode.ts';
import { chunks } from './chat/events.ts';
import { encodeEmbeddings } from './embeddings/encode.ts';
import { names } from './names.ts';
import { refuse } from './refuse.ts';
import { routeRows } from './route-rows.ts';

/** OpenAI's API, below `/openai`. */
export const openai: Dialect = {
  name: 'openai',
  names,
  credential: credentialOf,
  idempotencyKey: compatibleKeyOf,
  encode(result, request) {
    if (result.kind === 'failed') return refuse(result.error, request);
    const isDone = result.kind === 'done';
    if (isDone && result.output.kind === 'embeddings') {
      return encodeEmbeddings(result, result.output);
    }
    return encodeCompletion(result);
  },
  encodeReport: (report) => ({ status: 200, body: JSON.stringify(report), headers: {} }),
  stream: chunks,
  refuse,
  noRoute(method, path) {
    const wanted = `${method} ${path}`.slice(0, 200);
    return new CallError('NOT_FOUND', `There is no ${wanted}; the routes are ${routeList}.`);
  },
};

const routeList = Object.values(routeRows)
  .map(({ method, path }) => `${method} ${path.replace(/:(\w+)/, '{$1}')}`)
  .join(', ');
