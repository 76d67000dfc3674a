import type { LiveState, Load } from '../operations/context/live-state.ts';
import type { Instance } from './instance.ts';
import { mergeCircuits, sumLoads } from './parts/other-threads.ts';
import type { RunningParts } from './stop.ts';

export function liveStateOf(
  { instanceId, version, live, otherThreads }: Instance,
  {
    accounts,
    observing,
    calls,
    front,
  }: Pick<RunningParts, 'accounts' | 'observing' | 'calls' | 'front'>,
): LiveState {
  const { ledger, queue } = accounts;
  const { states } = otherThreads;
  let listensAt: string | undefined;
  return {
    ...{ instanceId, version },
    get configHash() {
      return live.config.hash;
    },
    url: () => listensAt,
    setUrl(url) {
      listensAt = url;
    },
    circuits: () =>
      mergeCircuits([
        calls.outageProtection.snapshot(),
        ...states().map(({ circuits }) => circuits),
      ]),
    platforms: observing.watch.reports,
    load: () =>
      sumLoads(
        ownLoad(),
        states().map(({ load }) => load),
      ),
  };

  function ownLoad(): Load {
    const { requests, bodyBytes } = front.concurrency.load();
    return {
      ...{ requests, bodyBytes, bodyBytesMax: front.concurrency.bodyBytesMax },
      ...{ runningCalls: ledger.liveCalls(), detachedCalls: calls.runner.detached.count() },
      ...{ streams: front.streams.count(), queue: queue.length() },
    };
  }
}
