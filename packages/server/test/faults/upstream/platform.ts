import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import dns from 'node:dns';
import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { vi } from 'vitest';
import type { Clock } from '../../../src/lib/clock.ts';
import {
  type ScriptedServer,
  startScriptedServer,
} from '../../platforms/support/scripted-server.ts';
import { startSecureFront } from './secure-front.ts';

/** An attempt, as the platform receives it. */
export interface Met {
  readonly socket: Socket;
  /** The HTTP body of a correct response. */
  readonly answer: string;
  /** The time of the test. */
  readonly clock: Pick<Clock, 'after'>;
  /** Reports that nothing more arrives before time passes. The returned function takes it back. */
  lasts(): () => void;
  /** The number of earlier attempts of this call. */
  readonly before: number;
}

/** Events that end an attempt before its request arrives. */
export type Unreached = 'refused' | 'unknown name' | 'no TLS' | 'untrusted';

/** The fault of a platform. */
export type Misbehaviour = Unreached | ((met: Met) => void);

/** The faults of a call's attempts. */
export interface Plan {
  readonly does: Misbehaviour;
  /** The number of attempts with the fault. Later attempts are answered. */
  readonly times: number;
  readonly works: (met: Met) => void;
  readonly answer: string;
}

/** A platform on a socket with planned faults, while the test controls the time. */
export interface FaultyPlatform {
  readonly port: number;
  /** The same, behind TLS. */
  readonly securePort: number;
  /** Plans the next call, on its own connections. */
  plan(plan: Plan, clock: Pick<Clock, 'after'>): Promise<void>;
  /** Requests that arrived since the plan. */
  requests(): ScriptedServer['requests'];
  /** A turn of the event loop while the sockets have work that takes no virtual time. */
  pending(): Promise<void> | undefined;
  close(): Promise<void>;
}

/** The configured host name of the platform, which resolves as planned. */
export const hostName = 'platform.test';

export async function startFaultyPlatform(): Promise<FaultyPlatform> {
  const exchanges = watchExchanges();
  let plan: Plan | undefined;
  let clock: Pick<Clock, 'after'> | undefined;
  let attempts = 0;
  let lasting = 0;
  let earlier = 0;
  const server = await startScriptedServer(meet);
  const front = await startSecureFront({
    hostName,
    behind: server.port,
    isPlain: () => isUnreached('no TLS'),
    isUntrusted: () => isUnreached('untrusted'),
  });
  const { lookup } = dns;
  const resolving = vi.spyOn(dns, 'lookup').mockImplementation(resolve);
  return {
    port: server.port,
    securePort: front.port,
    async plan(next, time) {
      await server.endConnections();
      [plan, clock, attempts, earlier] = [next, time, 0, server.requests.length];
    },
    requests: () => server.requests.slice(earlier),
    pending: () => (exchanges.count() > lasting ? setImmediate() : undefined),
    async close() {
      resolving.mockRestore();
      exchanges.stop();
      await front.close();
      await server.close();
    },
  };

  function meet(socket: Socket) {
    if (plan === undefined || clock === undefined) return socket.destroy();
    const { does, times, works, answer } = plan;
    const before = attempts;
    const met = { socket, answer, clock, before, lasts: () => lasts(socket) };
    if (typeof does === 'string') return works(met);
    attempts += 1;
    return before < times ? does(met) : works(met);
  }

  function lasts(socket: Socket) {
    let isOver = false;
    const end = () => {
      if (!isOver) lasting -= 1;
      isOver = true;
    };
    lasting += 1;
    socket.once('close', end);
    return end;
  }

  /** Whether an attempt should end in this way before it arrives. */
  function isUnreached(how: Unreached): boolean {
    if (plan?.does !== how) return false;
    attempts += 1;
    return attempts <= plan.times;
  }

  /** Replaces the name servers for one name. */
  function resolve(...parameters: unknown[]) {
    if (parameters[0] !== hostName) return Reflect.apply(lookup, dns, parameters);
    const callback = parameters.at(-1);
    if (typeof callback !== 'function') throw new Error('a look-up has a callback');
    if (isUnreached('unknown name')) {
      const error = Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
      return process.nextTick(callback, error);
    }
    // The platform listens on the other loopback address.
    const [address, family] = isUnreached('refused') ? ['::1', 6] : ['127.0.0.1', 4];
    const wantsAll = Object(parameters[1]).all === true;
    const found = wantsAll ? [[{ address, family }]] : [address, family];
    return process.nextTick(callback, null, ...found);
  }
}

/** Counts the exchanges that the HTTP library has begun and not ended. */
function watchExchanges() {
  const running = new Set<unknown>();
  const begin = (message: unknown) => void running.add(Object(message).request);
  const end = (message: unknown) => void running.delete(Object(message).request);
  subscribe('undici:request:create', begin);
  subscribe('undici:request:trailers', end);
  subscribe('undici:request:error', end);
  return {
    count: () => running.size,
    stop() {
      unsubscribe('undici:request:create', begin);
      unsubscribe('undici:request:trailers', end);
      unsubscribe('undici:request:error', end);
    },
  };
}
