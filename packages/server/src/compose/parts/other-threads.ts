import type { MetricsOfThread } from '../../observe/merge-metrics.ts';
import type { Load, ThreadState } from '../../operations/context/live-state.ts';
import type { CircuitState } from '../../platforms/outage/circuit.ts';
import type { CircuitBreakersSnapshot } from '../../platforms/outage/circuit-breakers.ts';

export interface OtherThreads {
  states(): readonly ThreadState[];
  metrics(): Promise<readonly MetricsOfThread[]>;
}

export const noOtherThreads: OtherThreads = { states: () => [], metrics: async () => [] };

export function servicesOf(first: {
  readonly instanceId: string;
  readonly otherThreads: OtherThreads;
}): readonly string[] {
  return [first.instanceId, ...first.otherThreads.states().map(({ instanceId }) => instanceId)];
}

export function sumLoads(first: Load, others: readonly Load[]): Load {
  const sum = (key: keyof Load) => others.reduce((sum, load) => sum + load[key], first[key]);
  return {
    ...{ requests: sum('requests'), bodyBytes: sum('bodyBytes') },
    ...{ bodyBytesMax: first.bodyBytesMax, runningCalls: sum('runningCalls') },
    ...{ detachedCalls: sum('detachedCalls'), streams: sum('streams'), queue: sum('queue') },
  };
}

const severity: Readonly<Record<CircuitState, number>> = { closed: 0, probing: 1, open: 2 };

export function mergeCircuits(all: readonly CircuitBreakersSnapshot[]): CircuitBreakersSnapshot {
  const platforms = Map.groupBy(
    all.flatMap((each) => each.platforms),
    ({ platform }) => platform,
  );
  const circuits = Map.groupBy(
    all.flatMap((each) => each.circuits),
    ({ platform, model }) => `${platform} ${model}`,
  );
  return {
    platforms: [...platforms].map(([platform, rows]) => {
      const sum = (count: (row: (typeof rows)[number]) => number) =>
        rows.reduce((total, row) => total + count(row), 0);
      return {
        platform,
        retriesTaken: sum((row) => row.retriesTaken),
        retriesDenied: sum((row) => row.retriesDenied),
        circuitsOpened: sum((row) => row.circuitsOpened),
        attemptsRefused: sum((row) => row.attemptsRefused),
      };
    }),
    circuits: [...circuits.values()].flatMap((rows) =>
      rows.toSorted((a, b) => severity[b.state] - severity[a.state]).slice(0, 1),
    ),
  };
}
