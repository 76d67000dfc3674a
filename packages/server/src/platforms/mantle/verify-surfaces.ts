import type { CatalogModel } from '../../catalog/catalog.ts';
import type { PathFamily } from '../../domain/path-family.ts';
import { isRecord, parseJson } from '../../lib/json-value.ts';
import { isFailure, type Send } from '../http/transport.ts';
import type { ModelPort, PlatformContext } from '../model/port.ts';
import type { Redact } from '../redaction/redact.ts';
import { type ProbeResult, probe } from './probe.ts';

export interface VerifyParts {
  readonly send: Send;
  readonly context: Pick<PlatformContext, 'clock' | 'logPlatformErrors'>;
  readonly model: (row: CatalogModel) => ModelPort;
  readonly redact: Redact;
}

export type RowsByFamily = ReadonlyMap<PathFamily, readonly CatalogModel[]>;

/** Never throws. */
export async function verifySurfaces(
  parts: VerifyParts,
  families: RowsByFamily,
  signal: AbortSignal,
): Promise<ReadonlyMap<PathFamily, ProbeResult>> {
  const offered = await listModels(parts, signal);
  const verified = [...families].map(async ([family, rows]) => {
    return [family, await resultOf(rows)] as const;
  });
  return new Map(await Promise.all(verified));

  function resultOf(rows: readonly CatalogModel[]): Promise<ProbeResult> | ProbeResult {
    if (typeof offered === 'string') return { kind: 'unverified', why: offered };
    const able = rows.filter(({ upstreamModel }) => offered?.has(upstreamModel) ?? true);
    const sentences = parts.context.logPlatformErrors === true ? 'logged' : 'told';
    return probe(able.map(parts.model), { signal, sentences });
  }
}

async function listModels(
  { send, redact }: VerifyParts,
  signal: AbortSignal,
): Promise<ReadonlySet<unknown> | undefined | string> {
  const headers = { accept: 'application/json', 'user-agent': 'model-gateway' };
  const answer = await send({ method: 'GET', path: '/v1/models', headers, body: '', signal });
  if (isFailure(answer)) {
    const { causeCode, message } = answer;
    return signal.aborted ? 'it did not answer in time' : redact(`${causeCode}: ${message}`);
  }
  const list = answer.status === 200 ? parseJson(answer.body.toString())?.value : undefined;
  if (!isRecord(list) || !Array.isArray(list.data)) return undefined;
  const models = list.data.filter(isRecord).filter(({ status }) => status !== 'unavailable');
  return new Set(models.map(({ id }) => id));
}
