import type { DoneCall, Output } from '../../../../calls/model/result.ts';
import type { Vector } from '../../../../domain/vector.ts';
import type { Answer } from '../../../exchange/answer.ts';
import { numbersOf, vectorAnswer } from '../../../stream/vector-answer.ts';
import { moneyHeaders } from '../../compatible/money-headers.ts';

/** Headers show the cost. */
export function encodeEmbeddings(
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
