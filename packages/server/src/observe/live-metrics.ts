import { Counter, Gauge, type Registry } from 'prom-client';
import type { Ledger } from '../ledger/ledger.ts';
import type { LedgerQueue } from '../ledger/queue.ts';
import type { Unsolicited } from '../platforms/http/unsolicited.ts';
import type { CircuitBreakers } from '../platforms/outage/circuit-breakers.ts';
import type { Registry as AppRegistry } from '../registry/registry.ts';
import { sameOnAll } from './merge-metrics.ts';
import { noApp } from './request-metrics.ts';

/** Read only when metrics are requested. */
export interface LiveParts {
  readonly ingress: { inFlight(): number };
  readonly concurrency: {
    load(): InFlight;
    loads(): ReadonlyMap<string, InFlight>;
    readonly bodyBytesMax: number;
  };
  readonly registry: Pick<AppRegistry, 'apps'>;
  readonly ledger: Pick<Ledger, 'liveCalls'>;
  readonly queue: Pick<LedgerQueue, 'length'>;
  readonly detachedCalls: { count(): number };
  readonly outageProtection: CircuitBreakers;
  readonly unsolicited: Pick<Unsolicited, 'counts'>;
  readonly streams: { count(): number };
  readonly connections: {
    dropped(): Readonly<Record<string, number>>;
    droppedKeyless(): Readonly<Record<string, number>>;
  };
}

interface InFlight {
  readonly requests: number;
  readonly bodyBytes: number;
}

export function addLiveMetrics(registry: Registry, parts: LiveParts): void {
  const { ingress, concurrency, ledger, queue, detachedCalls, streams } = parts;
  const registers = [registry];
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      ...{ name, help, registers },
      collect() {
        this.set(read());
      },
    });
  gauge('model_gateway_in_flight', 'Requests that are not answered yet', ingress.inFlight);
  gauge(
    'model_gateway_permits',
    'Permits in use, limited by limits.inFlight: requests in flight, detached calls, unread responses, and store operations behind a 504',
    () => concurrency.load().requests,
  );
  gauge(
    'model_gateway_body_bytes_in_flight',
    'Bytes of limits.bodyBytesInFlight in use by request bodies and unread responses',
    () => concurrency.load().bodyBytes,
  );
  new Gauge({
    name: 'model_gateway_body_bytes_max',
    help: 'Limit of body bytes in flight (limits.bodyBytesInFlight)',
    ...{ registers, ...sameOnAll },
    collect() {
      this.set(concurrency.bodyBytesMax);
    },
  });
  addAppMetrics(registry, parts);
  gauge(
    'model_gateway_running_calls',
    'Calls of this process with a reservation',
    ledger.liveCalls,
  );
  gauge('model_gateway_detached_calls', 'Calls that outlive their caller', detachedCalls.count);
  gauge(
    'model_gateway_streams',
    'Open streams, and streams before their first content; limited by streams.inFlight',
    streams.count,
  );
  gauge(
    'model_gateway_commit_queue',
    'Ledger operations that wait for a transaction',
    queue.length,
  );
  addOutageMetrics(registry, parts.outageProtection);
  addConnectionMetrics(registry, parts.connections);
  const { unsolicited } = parts;
  new Counter({
    name: 'model_gateway_upstream_unsolicited_total',
    help: 'Times that a platform sent unrequested bytes, such as a second response. Its idle connections are closed each time',
    labelNames: ['platform'] as const,
    registers,
    collect() {
      this.reset();
      for (const [platform, count] of unsolicited.counts()) this.inc({ platform }, count);
    },
  });
}

/** Bytes of keys without an app share one series. */
function addAppMetrics(registry: Registry, { concurrency, registry: { apps } }: LiveParts) {
  new Gauge({
    name: 'model_gateway_app_body_bytes_in_flight',
    help: 'Bytes of limits.bodyBytesInFlight in use by an app. No app gets all while others need some',
    labelNames: ['app'] as const,
    registers: [registry],
    collect() {
      this.reset();
      const names = new Set(apps().map(({ name }) => name));
      for (const app of names) this.set({ app }, 0);
      for (const [app, { bodyBytes }] of concurrency.loads()) {
        this.inc({ app: names.has(app) ? app : noApp }, bodyBytes);
      }
    },
  });
}

function addConnectionMetrics(registry: Registry, connections: LiveParts['connections']) {
  const registers = [registry];
  new Counter({
    name: 'model_gateway_connections_dropped_total',
    help: 'Connections rejected because the listener (public or admin) was full',
    labelNames: ['listener'] as const,
    registers,
    collect() {
      this.reset();
      const dropped = Object.entries(connections.dropped());
      for (const [listener, count] of dropped) this.inc({ listener }, count);
    },
  });
  new Counter({
    name: 'model_gateway_keyless_connections_dropped_total',
    help: 'Connections without a known key that were closed for new ones: full (listener full), network (their network had a tenth of it)',
    labelNames: ['reason'] as const,
    registers,
    collect() {
      this.reset();
      const dropped = Object.entries(connections.droppedKeyless());
      for (const [reason, count] of dropped) this.inc({ reason }, count);
    },
  });
}

/** The circuit breakers keep these counts, so they are copied. */
function addOutageMetrics(registry: Registry, outageProtection: CircuitBreakers) {
  const registers = [registry];
  const counter = (name: string, help: string, read: (row: PlatformRow) => number) =>
    new Counter({
      ...{ name, help, registers, labelNames: ['platform'] as const },
      collect() {
        this.reset();
        for (const row of outageProtection.snapshot().platforms) {
          this.inc({ platform: row.platform }, read(row));
        }
      },
    });
  counter('model_gateway_retries_total', 'Retries of attempts', (row) => row.retriesTaken);
  counter(
    'model_gateway_retries_denied_total',
    'Retries not made, because the platform had too many',
    (row) => row.retriesDenied,
  );
  counter(
    'model_gateway_circuit_opened_total',
    'Times that a circuit opened',
    (row) => row.circuitsOpened,
  );
  counter(
    'model_gateway_circuit_refused_total',
    'Attempts not made, because a circuit was open',
    (row) => row.attemptsRefused,
  );
  new Gauge({
    name: 'model_gateway_circuit_state',
    help: 'Circuit of a model: 0 closed, 1 probing, 2 open. The worst of several threads, except after 1 min without a call',
    labelNames: ['platform', 'model'] as const,
    // With several threads, the worst one counts.
    ...{ registers, aggregator: 'max' },
    collect() {
      this.reset();
      for (const { platform, model, state } of outageProtection.snapshot().circuits) {
        this.set({ platform, model }, { closed: 0, probing: 1, open: 2 }[state]);
      }
    },
  });
}

type PlatformRow = ReturnType<CircuitBreakers['snapshot']>['platforms'][number];
