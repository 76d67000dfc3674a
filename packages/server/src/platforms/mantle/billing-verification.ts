import type { CatalogModel } from '../../catalog/catalog.ts';
import type { PathFamily } from '../../domain/path-family.ts';
import type { Timer } from '../../lib/clock.ts';
import { startTimeout } from '../../lib/deadline.ts';
import { isRecord, parseJson } from '../../lib/json-value.ts';
import type { Log } from '../../lib/log.ts';
import { isFailure, type Send } from '../http/transport.ts';
import type { ModelPort, PlatformContext } from '../model/port.ts';
import type { Redact } from '../redaction/redact.ts';
import { familyOf } from './models.ts';
import { type ProbeResult, probe } from './probe.ts';

export interface BillingVerification {
  /** Resolves after the first, time-limited round; the rest is retried in the background. */
  start(rows: readonly CatalogModel[], log: Log): Promise<void>;
  refusal(row: CatalogModel): string | undefined;
  stop(): void;
}

export interface BillingVerificationParts extends VerifyParts {
  readonly platform: string;
}

const roundMs = 5_000;

const againMs = { first: 1_000, most: 60_000 };

const notYet: ProbeResult = { kind: 'unverified', why: 'it has not been checked yet' };

export function createBillingVerification(parts: BillingVerificationParts): BillingVerification {
  const { platform, context } = parts;
  const { clock } = context;
  const results = new Map<PathFamily, ProbeResult>();
  let round: ReturnType<typeof startTimeout> | undefined;
  let timer: Timer | undefined;
  let isStopped = false;
  return {
    start(rows, log) {
      const families = Map.groupBy(rows.flatMap(onEachPath), familyOf);
      for (const family of families.keys()) results.set(family, notYet);
      return verifyFrom(families, log, againMs.first);
    },
    refusal: (row) => refusalOf(platform, results, familyOf(row)),
    stop() {
      isStopped = true;
      timer?.cancel();
      round?.cancel();
    },
  };

  async function verifyFrom(families: RowsByFamily, log: Log, nextMs: number): Promise<void> {
    round = startTimeout(clock, roundMs);
    const verified = await verifySurfaces(parts, families, round.signal);
    round.cancel();
    if (isStopped) return;
    for (const [family, result] of verified) {
      logChange(log, { platform, family, before: results.get(family), result });
      results.set(family, result);
    }
    const open = [...families].filter(([family]) => results.get(family)?.kind === 'unverified');
    // Where projects are ignored, each additional round might be billed.
    if (open.length === 0 || isIgnoring(results)) return;
    const laterMs = Math.min(nextMs * 2, againMs.most);
    timer = clock.after(nextMs, () => void verifyFrom(new Map(open), log, laterMs));
  }
}

function onEachPath(row: CatalogModel): readonly CatalogModel[] {
  return row.speaks?.map((path) => ({ ...row, speaks: [path] as const })) ?? [row];
}

type Results = ReadonlyMap<PathFamily, ProbeResult>;

/** One wire format that bills the shared project disqualifies all. */
function isIgnoring(results: Results): boolean {
  return [...results.values()].some(({ kind }) => kind === 'ignored');
}

function refusalOf(platform: string, results: Results, family: PathFamily): string | undefined {
  const result = results.get(family);
  if (isIgnoring(results)) {
    return `platform ${platform} is not in use; it does not bill calls to the project that they name`;
  }
  if (result?.kind === 'verified') return undefined;
  const why = result?.why ?? 'no model of the catalog is on it, so it was not checked';
  return `platform ${platform} has not shown that it bills ${family} by project: ${why}`;
}

interface Finding {
  readonly platform: string;
  readonly family: PathFamily;
  readonly before: ProbeResult | undefined;
  readonly result: ProbeResult;
}

function logChange(log: Log, { platform, family, before, result }: Finding): void {
  const fields = { platform, pathFamily: family };
  switch (result.kind) {
    case 'verified':
      log.info(fields, 'billing verified; calls are billed to the project they name');
      return;
    case 'ignored':
      log.error(
        { ...fields, why: result.why },
        'platform disabled; it does not bill calls to the project they name',
      );
      return;
    case 'unverified':
      if (before?.kind === 'unverified' && before.why === result.why) return;
      log.warn(
        { ...fields, why: result.why },
        'calls are blocked until the platform proves that it bills them to the project they name',
      );
  }
}

interface VerifyParts {
  readonly send: Send;
  readonly context: Pick<PlatformContext, 'clock' | 'logPlatformErrors'>;
  readonly model: (row: CatalogModel) => ModelPort;
  readonly redact: Redact;
}

type RowsByFamily = ReadonlyMap<PathFamily, readonly CatalogModel[]>;

/** Never throws. */
async function verifySurfaces(
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
    return signal.aborted ? 'it did not respond in time' : redact(`${causeCode}: ${message}`);
  }
  const list = answer.status === 200 ? parseJson(answer.body.toString())?.value : undefined;
  if (!isRecord(list) || !Array.isArray(list.data)) return undefined;
  const models = list.data.filter(isRecord).filter(({ status }) => status !== 'unavailable');
  return new Set(models.map(({ id }) => id));
}
