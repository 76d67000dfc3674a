import type { Dialect } from '../../exchange/dialect.ts';
import { compatibleKeyOf } from '../compatible/idempotency-key.ts';
import { routeListOf } from '../route-list.ts';
import { encodeCompletion } from './chat/encode.ts';
import { chunks } from './chat/events.ts';
import { encodeEmbeddings } from './embeddings/encode.ts';
import { names } from './format/names.ts';
import { refuse } from './format/refuse.ts';
import { routeRows } from './format/route-rows.ts';

export const openai: Dialect = {
  name: 'openai',
  names,
  readsBearer: true,
  readsAzureKey: true,
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
  routeList: () => routeList,
};

const routeList = routeListOf(Object.values(routeRows));
