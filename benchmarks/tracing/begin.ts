import { systemClock } from '../../packages/server/src/lib/clock.ts';
import { createIds } from '../../packages/server/src/lib/id.ts';
import { silentLog } from '../../packages/server/src/lib/log.ts';
import { startTracing } from '../../packages/server/src/tracing/tracing.ts';

const rounds = 2_000_000;

/**
 * The time of beginning a request in this process, in µs. Three cases: without `tracing` and a
 * caller's trace, with a caller's trace, and with `tracing` for a trace that is not recorded.
 * Separate processes cannot show a difference this small.
 */
export async function microsOfBegin(otlp: string) {
  const parts = {
    ...{ clock: systemClock, ids: createIds(systemClock), log: silentLog, version: '0.0.0' },
    ...{ instanceId: 'bench', platforms: [], findSpanReference: () => Promise.resolve(undefined) },
  };
  const off = await startTracing(undefined, parts);
  const on = await startTracing(
    {
      ...{ url: `${otlp}/v1/traces`, headers: {}, keepFailures: false, serviceName: 'bench' },
      ...{ attributes: {}, sampling: { ratio: 1, isParentBased: true } },
    },
    parts,
  );
  const none = headersOf(undefined);
  const some = headersOf('00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00');
  const resolved = {
    off: microsOf(() => off.begin(none, 0)),
    withParent: microsOf(() => off.begin(some, 0)),
    notSampled: microsOf(() => on.begin(some, 0)),
  };
  await on.stop();
  return resolved;
}

function headersOf(traceparent: string | undefined) {
  const header = (name: string) => (name === 'traceparent' ? traceparent : undefined);
  return { header, isRepeated: () => false };
}

function microsOf(run: () => unknown): number {
  let made = 0;
  for (let round = 0; round < rounds / 10; round++) made += run() === undefined ? 0 : 1;
  const startedMs = systemClock.monotonic();
  for (let round = 0; round < rounds; round++) made += run() === undefined ? 0 : 1;
  if (made !== 0 && made !== rounds * 1.1) throw new Error('a request began in two ways');
  return ((systemClock.monotonic() - startedMs) * 1_000) / rounds;
}
