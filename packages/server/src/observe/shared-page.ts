import type { Clock } from '../lib/clock.ts';
import type { MakePage, Page } from './admin-listener.ts';
import { takesOpenMetrics } from './open-metrics.ts';

const sharedMs = 1_000;

/**
 * Makes each format at most once a second: a page takes processor time from calls, and needs no
 * key.
 */
export function sharedPage(clock: Pick<Clock, 'monotonic'>, make: MakePage): MakePage {
  const latest = new Map<boolean, Shared>();
  return (query, accept) => {
    const format = takesOpenMetrics(accept);
    const cached = latest.get(format);
    if (cached !== undefined && !isOld(cached)) return cached.page;
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
  /** Undefined until complete. */
  endedMs: number | undefined;
}
