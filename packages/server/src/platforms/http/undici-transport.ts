import type { OpenShares } from '../../domain/shares.ts';
import { type Clock, systemClock } from '../../lib/clock.ts';
import { createConnections } from './connections.ts';
import { Exchange } from './exchange.ts';
import { answerBytesMax, type Transport } from './transport.ts';
import type { Way } from './way.ts';

/** Where the connections go, and their bounds. */
export interface UndiciTransportOptions {
  /** `http:` or `https:`; its path stands before every request's path. */
  readonly baseUrl: string;
  /** Connections at most; further requests wait for one. */
  readonly connectionsMax?: number;
  readonly connectMs?: number;
  readonly answerBytesMax?: number;
  /** Directly, where it is absent. */
  readonly way?: Way | undefined;
  /** How apps share the connections. */
  readonly openShares?: OpenShares | undefined;
  /** Told of bytes that the platform sent although nothing had been asked for. */
  readonly onUnsolicited?: (() => void) | undefined;
  /** The machine's own, but in tests: sockets live by it, whatever the service goes by. */
  readonly clock?: Pick<Clock, 'monotonic' | 'after'>;
}

const connectionsMax = 10_000;

/** So that three attempts at an address that swallows packets end before the call's deadline. */
const connectMs = 5_000;

/**
 * Below the 5 s after which many servers close an idle connection: a close that crosses a request
 * on its way looks like a lost one, and a lost one may have been billed.
 */
const idleMs = 4_000;

/** A transport over sockets: HTTP/1.1, kept alive, one request at a time on a connection. */
export function createUndiciTransport(options: UndiciTransportOptions): Transport {
  const { origin, pathname } = new URL(options.baseUrl);
  const basePath = pathname.replace(/(?<!\/)\/+$/, '');
  const { answerBytesMax: mostBytes = Number.POSITIVE_INFINITY } = options;
  const clock = options.clock ?? systemClock;
  const connections = createConnections({
    origin,
    connectionsMax: options.connectionsMax ?? connectionsMax,
    connectMs: options.connectMs ?? connectMs,
    idleMs,
    way: options.way,
    openShares: options.openShares,
    onUnsolicited: options.onUnsolicited ?? (() => undefined),
    clock,
  });
  return {
    send: (request) =>
      new Promise((resolve) => {
        const { app = '', method, headers, body, signal, told, work, openReader } = request;
        const bytesMax = Math.min(request.answerBytesMax ?? answerBytesMax, mostBytes);
        const asked = { path: basePath + request.path, method, headers, body };
        const exchange = new Exchange(asked, {
          signal,
          told,
          work,
          openReader,
          bytesMax,
          connections,
          clock,
          resolve,
        });
        if (signal.aborted) return exchange.abort();
        signal.addEventListener('abort', exchange);
        const reads = openReader === undefined ? 'whole' : 'streams';
        exchange.endWait = connections.take({ app, reads }, exchange);
      }),
    close: connections.close,
  };
}
