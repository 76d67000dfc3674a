import assert from 'node:assert';
import { formatUsd } from '../lib/money.ts';

/** One attempt of a finished call. */
export interface AttemptDocument {
  readonly startedAt: string;
  readonly tookMs: number;
  /** `answered`, or the code that the attempt failed with. */
  readonly outcome: string;
  /** Null when no answer came. */
  readonly status: number | null;
  /** The platform's id of the request; null when it gave none. */
  readonly requestId: string | null;
  readonly costUsd: string;
  /** True when `costUsd` is the most that it could have cost. */
  readonly estimated: boolean;
}

/** Reads the attempts of a call's record, as the settlement wrote them. */
export function attemptDocuments(json: string): readonly AttemptDocument[] {
  const rows: unknown = JSON.parse(json);
  assert(Array.isArray(rows), "a call's attempts are a list");
  return rows.map(attemptDocument);
}

function attemptDocument(row: unknown): AttemptDocument {
  assert(typeof row === 'object' && row !== null, 'an attempt is an object');
  const fields = new Map<string, unknown>(Object.entries(row));
  const startedAt = fields.get('startedAt');
  const tookMs = fields.get('tookMs');
  const outcome = fields.get('outcome');
  const status = fields.get('status');
  const requestId = fields.get('requestId');
  const costPicoUsd = fields.get('costPicoUsd');
  assert(
    typeof startedAt === 'number' && typeof tookMs === 'number' && typeof outcome === 'string',
    'an attempt says when it was made and what it came to',
  );
  assert(typeof costPicoUsd === 'string', 'an attempt says what it cost');
  return {
    startedAt: new Date(startedAt).toISOString(),
    tookMs,
    outcome,
    status: typeof status === 'number' ? status : null,
    requestId: typeof requestId === 'string' ? requestId : null,
    costUsd: formatUsd(BigInt(costPicoUsd)),
    estimated: fields.get('isEstimated') === true,
  };
}
