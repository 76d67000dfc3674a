import type { CallResult } from '../calls/model/result.ts';
import type { Vector } from '../domain/vector.ts';
import type { RequestWork } from '../lib/work.ts';
import type { Answer } from './exchange/answer.ts';
import type { Dialect } from './exchange/dialect.ts';
import type { IncomingRequest } from './exchange/request.ts';
import { numbersAtOnce } from './stream/vector-answer.ts';

export async function encodeInTurn(
  result: CallResult,
  parts: {
    readonly dialect: Dialect;
    readonly request: IncomingRequest;
    readonly work: RequestWork;
  },
): Promise<Answer> {
  const { dialect, request, work } = parts;
  const isOfVectors = result.kind === 'done' && result.output.kind === 'embeddings';
  if (isOfVectors && areLong(result.output.vectors)) await work.turn();
  const startedMs = work.nowMs();
  try {
    return dialect.encode(result, request);
  } finally {
    work.note('answer', startedMs);
  }
}

function areLong(vectors: readonly Vector[]): boolean {
  return vectors.length * (vectors[0]?.length ?? 0) > numbersAtOnce / 4;
}
