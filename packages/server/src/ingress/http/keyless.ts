import type { Socket } from 'node:net';
import { type Chain, createChain } from '../../lib/chain.ts';
import type { Clock } from '../../lib/clock.ts';
import { connectionOf } from './connection.ts';
import type { Peers } from './peers.ts';

/** `full`: all permits are in use; `network`: those of the connection's network. */
export type KeylessDrop = 'full' | 'network';

export interface CallerConnections {
  /** False: every other connection has shown a key, so none gives way. */
  admit(socket: Socket): boolean;
}

/** Divisor: the share of one network's keyless connections in all permits. */
const networkPart = 10;
/** Time to show a key before the network's limit applies, because callers come in bursts. */
const graceMs = 1_000;

/**
 * Connections without a known key give way to newcomers, oldest first. Opening one is free, and
 * must not exclude callers with keys. ADR 0109.
 */
export function createCallerConnections(parts: {
  readonly clock: Pick<Clock, 'monotonic' | 'after'>;
  readonly connectionsMax: number;
  readonly peers: Pick<Peers, 'isProxy' | 'networkOf'>;
  /** `network` is undefined for a trusted proxy. */
  readonly onDrop: (why: KeylessDrop, network: string | undefined) => void;
}): CallerConnections {
  const { clock, connectionsMax, peers, onDrop } = parts;
  const keyless = createChain<Held>();
  const ofNetworkMax = Math.max(1, Math.floor(connectionsMax / networkPart));
  const networks = createNetworks({
    clock,
    max: ofNetworkMax,
    drop: (held) => drop(held, 'network'),
  });
  let open = 0;
  return { admit };

  function admit(socket: Socket): boolean {
    const { remoteAddress } = socket;
    const isProxy = peers.isProxy(remoteAddress);
    const network = isProxy ? undefined : peers.networkOf(remoteAddress, () => undefined);
    if (open >= connectionsMax) {
      const oldest = keyless.first();
      if (oldest === undefined) return false;
      // A flood from one network costs only that network its connections.
      const ofNetwork = networks.oldestOfFull(network);
      if (ofNetwork !== undefined) drop(ofNetwork, 'network');
      else drop(oldest, 'full');
    }
    hold(socket, network);
    return true;
  }

  function hold(socket: Socket, network: string | undefined) {
    const held: Held = { socket, network, openedMs: clock.monotonic(), end };
    const leaveAll = keyless.add(held);
    const leaveNetwork = network === undefined ? undefined : networks.add(network, held);
    let isOpen = true;
    open += 1;
    socket.on('close', end);
    connectionOf(socket).whenKeyed(leave);

    function leave() {
      leaveAll();
      leaveNetwork?.();
    }

    function end() {
      if (!isOpen) return;
      isOpen = false;
      open -= 1;
      leave();
    }
  }

  function drop(held: Held, why: KeylessDrop) {
    // The permit is free at once; the socket's `close` comes later.
    held.end();
    held.socket.destroy();
    onDrop(why, held.network);
  }
}

/** At most `max` per network, counted after the grace period. */
function createNetworks(parts: {
  readonly clock: Pick<Clock, 'monotonic' | 'after'>;
  readonly max: number;
  readonly drop: (held: Held) => void;
}) {
  const { clock, max, drop } = parts;
  const chains = new Map<string, Chain<Held>>();
  const trimming = new Set<string>();
  return {
    oldestOfFull(network: string | undefined): Held | undefined {
      const chain = network === undefined ? undefined : chains.get(network);
      return chain !== undefined && chain.count() >= max ? chain.first() : undefined;
    },
    add(network: string, held: Held): () => void {
      const chain = chains.get(network) ?? createChain<Held>();
      chains.set(network, chain);
      const remove = chain.add(held);
      if (chain.count() > max) trimLater(network);
      return () => {
        remove();
        if (chain.count() === 0 && chains.get(network) === chain) chains.delete(network);
      };
    },
  };

  function trimLater(network: string) {
    if (trimming.has(network)) return;
    trimming.add(network);
    clock.after(graceMs, () => {
      trimming.delete(network);
      trim(network);
    });
  }

  function trim(network: string) {
    const sinceMs = clock.monotonic() - graceMs;
    for (let chain = chains.get(network); chain !== undefined && chain.count() > max; ) {
      const oldest = chain.first();
      if (oldest === undefined || oldest.openedMs > sinceMs) return trimLater(network);
      drop(oldest);
      chain = chains.get(network);
    }
  }
}

interface Held {
  readonly socket: Socket;
  readonly network: string | undefined;
  readonly openedMs: number;
  end(): void;
}
