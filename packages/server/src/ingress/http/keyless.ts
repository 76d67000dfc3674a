import type { Socket } from 'node:net';
import { type Chain, createChain } from '../../lib/chain.ts';
import { connectionOf } from './connection.ts';
import type { Peers } from './peers.ts';

/** Why a connection without a key was dropped: all permits were taken, or those of its network. */
export type KeylessDrop = 'full' | 'network';

/** Which connections callers have, so many at most. */
export interface CallerConnections {
  /** False: there is no permit for it, since every other connection has shown a key. */
  admit(socket: Socket): boolean;
}

/** The part of all permits that connections of one network have until they have shown a key. */
const networkPart = 10;

/**
 * Connections of callers, none yet. A connection that has shown no known key gives way to a
 * newcomer, the oldest first: opening connections costs nothing, and must not keep out callers
 * that have a key. ADR 0109.
 */
export function createCallerConnections(parts: {
  readonly connectionsMax: number;
  readonly peers: Pick<Peers, 'isProxy' | 'networkOf'>;
  /** Called for each that was dropped, with its network; undefined for one of a trusted proxy. */
  readonly onDrop: (why: KeylessDrop, network: string | undefined) => void;
}): CallerConnections {
  const { connectionsMax, peers, onDrop } = parts;
  const ofNetworkMax = Math.max(1, Math.floor(connectionsMax / networkPart));
  const keyless = createChain<Held>();
  const byNetwork = new Map<string, Chain<Held>>();
  let open = 0;
  return { admit };

  function admit(socket: Socket): boolean {
    const { remoteAddress } = socket;
    const isProxy = peers.isProxy(remoteAddress);
    const network = isProxy ? undefined : peers.networkOf(remoteAddress, () => undefined);
    const ofNetwork = network === undefined ? undefined : byNetwork.get(network);
    if (ofNetwork !== undefined && ofNetwork.count() >= ofNetworkMax) {
      drop(ofNetwork.first(), 'network');
    } else if (open >= connectionsMax) {
      if (keyless.count() === 0) return false;
      drop(keyless.first(), 'full');
    }
    hold(socket, network);
    return true;
  }

  function hold(socket: Socket, network: string | undefined) {
    const held: Held = { socket, network, end };
    const leaveAll = keyless.add(held);
    const leaveNetwork = network === undefined ? undefined : chainOf(network).add(held);
    let isOpen = true;
    open += 1;
    socket.on('close', end);
    connectionOf(socket).whenKeyed(leave);

    function leave() {
      leaveAll();
      leaveNetwork?.();
      if (network !== undefined && byNetwork.get(network)?.count() === 0) byNetwork.delete(network);
    }

    function end() {
      if (!isOpen) return;
      isOpen = false;
      open -= 1;
      leave();
    }
  }

  function drop(held: Held | undefined, why: KeylessDrop) {
    if (held === undefined) return;
    // Its permit is free at once; the socket says so later.
    held.end();
    held.socket.destroy();
    onDrop(why, held.network);
  }

  function chainOf(network: string): Chain<Held> {
    const chain = byNetwork.get(network) ?? createChain<Held>();
    byNetwork.set(network, chain);
    return chain;
  }
}

interface Held {
  readonly socket: Socket;
  readonly network: string | undefined;
  end(): void;
}
