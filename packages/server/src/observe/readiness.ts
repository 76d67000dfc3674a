import type { Clock } from '../lib/clock.ts';
import { within } from '../lib/deadline.ts';
import type { Log } from '../lib/log.ts';
import { createRareErrorWarning } from '../lib/rare-warning.ts';
import type { Store } from '../store/port/port.ts';
import { selectRevision } from '../store/queries/registry.ts';
import { jsonPage, type Page } from './admin-listener.ts';
import type { PlatformReport } from './platform-watch.ts';

/**
 * The maximum difference between the store's clock and this process's. Source:
 * `docs/reliability.md`.
 */
const skewMsMax = 2_000;

const answerMsMax = 2_000;

export interface UnreadyReason {
  readonly name: 'store' | 'clock';
  readonly message: string;
}

export interface ReadinessParts {
  readonly store: Pick<Store, 'read' | 'clock'>;
  readonly clock: Clock;
  readonly log: Log;
  /** The store accepted the last heartbeat: serving calls needs writes too. */
  readonly heartbeatIsFresh: () => boolean;
  /** True once shutdown has begun. */
  readonly isDraining: () => boolean;
  /** Shown on demand; never a reason to be unready. */
  readonly platforms: () => readonly PlatformReport[];
}

type ReadyPage = (query?: string) => Promise<Page>;

/**
 * `?verbose` adds the platforms. Catalog, apps and keys are in memory before a listener opens, so
 * only the store and its clock can fail later.
 */
export function createReadiness(parts: ReadinessParts): ReadyPage {
  const { store, clock, heartbeatIsFresh, isDraining } = parts;
  const warn = createRareErrorWarning(parts, 'not ready: the store does not respond');
  let probe: Promise<boolean> | undefined;
  return async (query) => {
    const isVerbose = new URLSearchParams(query).has('verbose');
    const more = isVerbose ? { platforms: parts.platforms() } : {};
    if (isDraining()) return jsonPage(503, { status: 'draining', ...more });
    const reasons = [...(await storeReasons()), ...clockReasons()];
    if (reasons.length > 0) return jsonPage(503, { status: 'unready', reasons, ...more });
    return jsonPage(200, { status: 'ready', ...more });
  };

  async function storeReasons(): Promise<readonly UnreadyReason[]> {
    // A store that hangs gets only one query at a time, however often this page is requested.
    probe ??= answers().finally(() => {
      probe = undefined;
    });
    const answer = probe;
    const isInTime = await within(clock, answerMsMax, answer);
    if (!isInTime) return ofStore(`does not respond within ${answerMsMax} ms`);
    if (!(await answer)) return ofStore('does not respond');
    return heartbeatIsFresh() ? [] : ofStore('accepts no writes');
  }

  async function answers(): Promise<boolean> {
    try {
      await store.read(selectRevision);
      return true;
    } catch (error) {
      warn(error);
      return false;
    }
  }

  function ofStore(what: string): readonly UnreadyReason[] {
    return [{ name: 'store', message: `The store ${what}.` }];
  }

  function clockReasons(): readonly UnreadyReason[] {
    const skewMs = Math.round(store.clock?.skewMs() ?? 0);
    if (Math.abs(skewMs) <= skewMsMax) return [];
    const side = skewMs > 0 ? 'ahead of' : 'behind';
    const message = `The store's clock is ${Math.abs(skewMs)} ms ${side} the clock of this process; at most ${skewMsMax} ms are allowed.`;
    return [{ name: 'clock', message }];
  }
}
