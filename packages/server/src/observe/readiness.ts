import type { Clock } from '../lib/clock.ts';
import { within } from '../lib/deadline.ts';
import type { Log } from '../lib/log.ts';
import { createRareErrorWarning } from '../lib/rare-warning.ts';
import type { Store } from '../store/port/port.ts';
import { selectRevision } from '../store/queries/registry.ts';
import { jsonPage, type Page } from './admin-listener.ts';
import type { PlatformReport } from './platform-watch.ts';

/** How far the store's clock may be from ours. Source: `docs/reliability.md`. */
const skewMsMax = 2_000;

/** How long the store may take to answer. */
const answerMsMax = 2_000;

/** Why a service is not ready, by name and in a sentence. */
export interface UnreadyReason {
  readonly name: 'store' | 'clock';
  readonly message: string;
}

/** What readiness is made of. */
export interface ReadinessParts {
  readonly store: Pick<Store, 'read' | 'clock'>;
  readonly clock: Clock;
  readonly log: Log;
  /** Whether the store has taken this process's last sign of life: reads alone serve no call. */
  readonly heartbeatIsFresh: () => boolean;
  /** True once the process has begun to stop. */
  readonly isDraining: () => boolean;
  /** What is known of each platform: shown on demand, and no reason to be unready. */
  readonly platforms: () => readonly PlatformReport[];
}

/** Makes the page for the query that follows its path. */
type ReadyPage = (query?: string) => Promise<Page>;

/**
 * The page `/ready`: whether calls can be made now; `?verbose` adds the platforms. The catalog, the
 * apps and the keys are in memory before there is a listener, so what can fail later is the store
 * and its clock.
 */
export function createReadiness(parts: ReadinessParts): ReadyPage {
  const { store, clock, heartbeatIsFresh, isDraining } = parts;
  const warn = createRareErrorWarning(parts, 'not ready: the store does not answer');
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
    // A store that is stuck is asked once, and not once more by every look at this page.
    probe ??= answers().finally(() => {
      probe = undefined;
    });
    const answer = probe;
    const isInTime = await within(clock, answerMsMax, answer);
    if (!isInTime) return ofStore(`does not answer within ${answerMsMax} ms`);
    if (!(await answer)) return ofStore('does not answer');
    return heartbeatIsFresh() ? [] : ofStore('takes no writes');
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
    const message = `The clock of the store is ${Math.abs(skewMs)} ms ${side} this process's; at most ${skewMsMax} ms are allowed.`;
    return [{ name: 'clock', message }];
  }
}
