import type { Server, Socket } from 'node:net';
import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { createCallerConnections, type KeylessDrop } from './keyless.ts';
import { createOperatorConnections, type OperatorConnections } from './operator-connections.ts';
import type { Peers } from './peers.ts';

export type ListenerName = 'public' | 'admin';

export interface ConnectionLimits {
  /** Undefined: no limit. With `peers`, connections without a known key give way to newcomers. */
  bound(
    server: Server,
    listener: ListenerName,
    connectionsMax: number | undefined,
    peers?: Pick<Peers, 'isProxy' | 'networkOf'>,
  ): void;
  /** Connections that serve no login give way to newcomers. */
  boundOperators(server: Server, connectionsMax: number): OperatorConnections;
  dropped(): Readonly<Record<ListenerName, number>>;
  droppedKeyless(): Readonly<Record<KeylessDrop, number>>;
}

const logEveryMs = 60_000;

/** The system's limit is higher by this number, as the last defense. */
const lastLine = 16;

const whyFull = 'connections dropped; the listener reached its connection limit';
const whyKeyless = {
  full: 'connections without a valid key dropped, oldest first; the listener is full',
  network: 'connections without a valid key dropped; their network had a tenth of all connections',
} as const;
const whyIdle =
  'connections without a login dropped, least recently used first; the listener is full';

export function createConnectionLimits(parts: {
  readonly clock: Clock;
  readonly log: Log;
}): ConnectionLimits {
  const counts: Record<ListenerName, number> = { public: 0, admin: 0 };
  const keyless: Record<KeylessDrop, number> = { full: 0, network: 0 };
  return { bound, boundOperators, dropped: () => counts, droppedKeyless: () => keyless };

  function bound(
    server: Server,
    listener: ListenerName,
    connectionsMax: number | undefined,
    peers?: Pick<Peers, 'isProxy' | 'networkOf'>,
  ) {
    if (connectionsMax === undefined) return;
    const facts = { listener, connectionsMax };
    if (peers === undefined) return void limit(server, facts);
    const logKeyless = {
      full: createDropLog(parts, facts, whyKeyless.full),
      network: createDropLog(parts, facts, whyKeyless.network),
    };
    const connections = createCallerConnections({
      ...{ clock: parts.clock, connectionsMax, peers },
      onDrop(reason, network) {
        keyless[reason] += 1;
        logKeyless[reason]({ reason, network });
      },
    });
    limit(server, facts, connections.admit);
  }

  function boundOperators(server: Server, connectionsMax: number): OperatorConnections {
    const facts = { listener: 'admin', connectionsMax } as const;
    const logIdle = createDropLog(parts, facts, whyIdle);
    const connections = createOperatorConnections({ connectionsMax, onDrop: () => logIdle({}) });
    limit(server, facts, connections.admit);
    return connections;
  }

  /** Without `admit` the system drops the newcomer. */
  function limit(
    server: Server,
    facts: { readonly listener: ListenerName; readonly connectionsMax: number },
    admit?: (socket: Socket) => boolean,
  ) {
    const logFull = createDropLog(parts, facts, whyFull);
    const dropNewcomer = () => {
      counts[facts.listener] += 1;
      logFull({});
    };
    server.on('drop', dropNewcomer);
    server.maxConnections = facts.connectionsMax + (admit === undefined ? 0 : lastLine);
    if (admit === undefined) return;
    server.on('connection', (socket) => {
      if (admit(socket)) return;
      socket.destroy();
      dropNewcomer();
    });
  }
}

function createDropLog(
  { clock, log }: { readonly clock: Clock; readonly log: Log },
  facts: Readonly<Record<string, unknown>>,
  why: string,
) {
  let unlogged = 0;
  let latest: Readonly<Record<string, unknown>> = {};
  let isTimed = false;
  return (ofDrop: Readonly<Record<string, unknown>>) => {
    unlogged += 1;
    latest = ofDrop;
    if (!isTimed) logDropped();
  };

  function logDropped() {
    isTimed = false;
    if (unlogged === 0) return;
    log.warn({ ...facts, ...latest, dropped: unlogged }, why);
    unlogged = 0;
    isTimed = true;
    clock.after(logEveryMs, logDropped);
  }
}
