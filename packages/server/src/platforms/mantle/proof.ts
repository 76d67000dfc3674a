import type { CatalogModel } from '../../catalog/catalog.ts';
import type { PathFamily } from '../../domain/path-family.ts';
import type { Timer } from '../../lib/clock.ts';
import { startTimeout } from '../../lib/deadline.ts';
import type { Log } from '../../lib/log.ts';
import { type LookParts, look, type RowsByFamily } from './look.ts';
import { familyOf } from './models.ts';
import type { ProbeResult } from './probe.ts';

/** The evidence that calls are billed to the project that they name. */
export interface Proof {
  /**
   * Looks for it on every surface of these rows. Resolves after the first look, which is bounded;
   * what it could not show is looked for again in the background.
   */
  start(rows: readonly CatalogModel[], log: Log): Promise<void>;
  /** Why no call of this row may be made now; undefined when one may. */
  refusal(row: CatalogModel): string | undefined;
  stop(): void;
}

/** What a proof is made with. */
export interface ProofParts extends LookParts {
  /** The platform's name in the configuration. */
  readonly platform: string;
}

/** A service does not wait longer than this for a platform that it cannot reach. */
const lookMs = 5_000;

const againMs = { first: 1_000, most: 60_000 };

const notYet: ProbeResult = { kind: 'unproven', why: 'it has not been asked yet' };

/** A proof of nothing, until it is started. */
export function createProof(parts: ProofParts): Proof {
  const { platform, context } = parts;
  const { clock } = context;
  const results = new Map<PathFamily, ProbeResult>();
  let looking: ReturnType<typeof startTimeout> | undefined;
  let timer: Timer | undefined;
  let isStopped = false;
  return {
    start(rows, log) {
      const families = Map.groupBy(rows, familyOf);
      for (const family of families.keys()) results.set(family, notYet);
      return lookFrom(families, log, againMs.first);
    },
    refusal: (row) => refusalOf(platform, results, familyOf(row)),
    stop() {
      isStopped = true;
      timer?.cancel();
      looking?.cancel();
    },
  };

  async function lookFrom(families: RowsByFamily, log: Log, nextMs: number): Promise<void> {
    looking = startTimeout(clock, lookMs);
    const seen = await look(parts, families, looking.signal);
    looking.cancel();
    if (isStopped) return;
    for (const [family, result] of seen) {
      tell(log, { platform, family, before: results.get(family), result });
      results.set(family, result);
    }
    const open = [...families].filter(([family]) => results.get(family)?.kind === 'unproven');
    // Where projects are ignored, each further look might be billed.
    if (open.length === 0 || isIgnoring(results)) return;
    const laterMs = Math.min(nextMs * 2, againMs.most);
    timer = clock.after(nextMs, () => void lookFrom(new Map(open), log, laterMs));
  }
}

type Results = ReadonlyMap<PathFamily, ProbeResult>;

/** One surface that bills the shared project discredits them all. */
function isIgnoring(results: Results): boolean {
  return [...results.values()].some(({ kind }) => kind === 'ignored');
}

function refusalOf(platform: string, results: Results, family: PathFamily): string | undefined {
  const result = results.get(family);
  if (isIgnoring(results)) {
    return `platform ${platform} is not in use: it does not bill calls to the project they name`;
  }
  if (result?.kind === 'proven') return undefined;
  const why = result?.why ?? 'no row of the catalog is on it, so it was not asked';
  return `platform ${platform} has not shown that it bills ${family} by project: ${why}`;
}

interface Finding {
  readonly platform: string;
  readonly family: PathFamily;
  readonly before: ProbeResult | undefined;
  readonly result: ProbeResult;
}

/** Says what is new: a look that is repeated for hours says one thing once. */
function tell(log: Log, { platform, family, before, result }: Finding): void {
  const fields = { platform, pathFamily: family };
  switch (result.kind) {
    case 'proven':
      log.info(fields, 'the platform bills calls to the project that they name');
      return;
    case 'ignored':
      log.error(
        { ...fields, why: result.why },
        'the platform is not used: it does not bill calls to the project that they name',
      );
      return;
    case 'unproven':
      if (before?.kind === 'unproven' && before.why === result.why) return;
      log.warn(
        { ...fields, why: result.why },
        'no calls are made until the platform shows that it bills them to the project they name',
      );
  }
}
