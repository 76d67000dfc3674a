import type { Clock } from '../lib/clock.ts';
import type { MakePage, Page } from './admin-listener.ts';
import { takesOpenMetrics } from './open-metrics.ts';

/** How long a page of metrics is served before it is computed again. */
const sharedMs = 1_000;

/**
 * A page of metrics that is computed at most once a second in each format, for all who request it:
 * computing it takes processor time of calls, and needs no key.
 */
export function sharedPage(clock: Pick<Clock, 'monotonic'>, make: MakePage): MakePage {
  const latest = new Map<boolean, Shared>();
  return (query, accept) => {
    const format = takesOpenMetrics(accept);
    const known = latest.get(format);
    if (known !== undefined && !isOld(known)) return known.page;
    const page = Promise.resolve(make(query, accept));
    const shared: Shared = { page: page.finally(() => end(shared)), endedMs: undefined };
    latest.set(format, shared);
    return shared.page;
  };

  function end(shared: Shared) {
    shared.endedMs = clock.monotonic();
  }

  function isOld({ endedMs }: Shared): boolean {
    return endedMs !== undefined && clock.monotonic() - endedMs >= sharedMs;
  }
}

interface Shared {
  readonly page: Promise<Page>;
  /** When it was complete; undefined until then. */
  endedMs: number | undefined;
}
