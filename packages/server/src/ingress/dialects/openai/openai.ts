import type { DoneCall, Output } from '../../../calls/model/result.ts';
import type { Vector } from '../../../domain/vector.ts';
import type { Answer } from '../../exchange/answer.ts';
import type { Dialect } from '../../exchange/dialect.ts';
import { numbersOf, vectorAnswer } from '../../stream/vector-answer.ts';
import { compatibleKeyOf } from '../compatible/idempotency-key.ts';
import { moneyHeaders } from '../compatible/money-headers.ts';
import { routeListOf } from '../route-list.ts';
import { encodeCompletion } from './chat/encode.ts';
import { chunks } from './chat/events.ts';
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

function encodeEmbeddings(
  result: DoneCall,
  { vectors, isBase64 = false }: Extract<Output, { kind: 'embeddings' }>,
): Answer {
  const { model, usage } = result;
  const tokens = { prompt_tokens: usage.inputTokens, total_tokens: usage.inputTokens };
  const whole = JSON.stringify({ object: 'list', data: [], model, usage: tokens });
  const textOf = isBase64 ? base64Of : numbersOf;
  const write = (vector: Vector, index: number) =>
    `{"object":"embedding","index":${index},"embedding":${textOf(vector)}}`;
  return vectorAnswer(vectors, { whole, write, headers: moneyHeaders(result) });
}

/** 32-bit floats, little-endian. */
function base64Of(vector: Vector): string {
  const { buffer, byteOffset, byteLength } =
    vector instanceof Float32Array ? vector : Float32Array.from(vector);
  return `"${Buffer.from(buffer, byteOffset, byteLength).toString('base64')}"`;
}
