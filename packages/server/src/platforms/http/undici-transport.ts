import type { OpenShares } from '../../domain/shares.ts';
import { type Clock, systemClock } from '../../lib/clock.ts';
import { createConnections } from './connections.ts';
import { Exchange } from './exchange.ts';
import { answerBytesMax, type Transport } from './transport.ts';
import type { Way } from './way.ts';

export interface UndiciTransportOptions {
  /** `http:` or `https:`; its path is the prefix of every request's path. */
  readonly baseUrl: string;
  readonly connectionsMax?: number;
  readonly connectMs?: number;
  readonly answerBytesMax?: number;
  readonly way?: Way | undefined;
  readonly openShares?: OpenShares | undefined;
  readonly onUnsolicited?: (() => void) | undefined;
  /** Default: the machine's, which sockets follow. Only tests replace it. */
  readonly clock?: Pick<Clock, 'monotonic' | 'after'>;
}

const connectionsMax = 10_000;

/** Three attempts at an address that drops packets must end before the call's deadline. */
const connectMs = 5_000;

/**
 * Below the 5 s after which many servers close: a close that crosses a request looks like a loss,
 * which might have been billed.
 */
const idleMs = 4_000;

/** HTTP/1.1, kept alive, one request at a time per connection. */
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
        const {
          app = '',
          method,
          headers,
          body,
          signal,
          requestIdHolder,
          work,
          openReader,
        } = request;
        const bytesMax = Math.min(request.answerBytesMax ?? answerBytesMax, mostBytes);
        const dispatchOptions = { path: basePath + request.path, method, headers, body };
        const exchange = new Exchange(dispatchOptions, {
          signal,
          requestIdHolder,
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
