import type { Agent as HttpAgent } from 'node:http';
import type { Agent as HttpsAgent } from 'node:https';
import type { Duplex } from 'node:stream';
import { buildConnector } from 'undici';
import type { TracingConfig } from '../domain/tracing.ts';
import type { Clock } from '../lib/clock.ts';
import { createRoutes } from '../lib/proxy-route.ts';
import { through } from '../lib/tunnel.ts';

/** For the exporter, which uses Node's client. */
export type CreateAgent = () => Promise<HttpAgent | HttpsAgent>;

/** Undefined without a proxy. */
export function agentFor(
  config: Pick<TracingConfig, 'url' | 'proxies'>,
  parts: { readonly clock: Pick<Clock, 'after'>; readonly timeoutMs: number },
): CreateAgent | undefined {
  const url = new URL(config.url);
  const proxy = createRoutes(config)(url);
  if (proxy === undefined) return undefined;
  const { protocol, hostname, port, host } = url;
  const secure = buildConnector({ timeout: 0, allowH2: false });
  const connect = through<buildConnector.Options>({ ...parts, proxy, secure });
  const createConnection = (
    _options: unknown,
    onConnect?: (error: Error | null, socket: Duplex) => void,
  ) => {
    connect({ protocol, hostname, port, host }, (error, socket) => {
      // Node looks at the error first.
      if (socket !== null) onConnect?.(null, socket);
      else Reflect.apply(onConnect ?? ignore, undefined, [error]);
    });
    return undefined;
  };
  return async () => {
    // The exporter asks for this: Node's client must not be loaded before instruments are.
    const { Agent } =
      protocol === 'https:' ? await import('node:https') : await import('node:http');
    return Object.assign(new Agent({ keepAlive: true }), { createConnection });
  };
}

function ignore() {
  // Node always passes a callback.
}
