import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { createChain } from '../../lib/chain.ts';

/** What a login asked for: a response that ends soon, or a stream of events. */
export type LoginUse = 'response' | 'events';

/** Which connections operators and their machines have, so many at most. */
export interface OperatorConnections {
  /** False: no permit is free for it, since every other connection answers a login. */
  admit(socket: Socket): boolean;
  /** Keeps the connection of a response to a login until the response has ended. */
  keep(response: ServerResponse, use: LoginUse): void;
}

/** Connections that responses to logins never have: probes find a permit. */
const reserved = 10;

/**
 * Connections of the admin listener, none yet. It has no keys, and probes come on it: a connection
 * that answers no login gives way to a newcomer, the one that was used longest ago first. Streams
 * of events give way after those: a page that loses its stream polls. ADR 0117.
 */
export function createOperatorConnections(parts: {
  readonly connectionsMax: number;
  /** Called for each that was dropped. */
  readonly onDrop: () => void;
}): OperatorConnections {
  const { connectionsMax, onDrop } = parts;
  const idle = createChain<Held>();
  const streams = createChain<Held>();
  const ofSockets = new WeakMap<object, Held>();
  const keptMax = Math.max(1, connectionsMax - reserved);
  let open = 0;
  let kept = 0;
  return { admit, keep };

  function admit(socket: Socket): boolean {
    if (open >= connectionsMax) {
      const oldest = idle.first() ?? streams.first();
      if (oldest === undefined) return false;
      // Its permit is free at once; the socket says so later.
      oldest.end();
      oldest.socket.destroy();
      onDrop();
    }
    hold(socket);
    return true;
  }

  function hold(socket: Socket) {
    const held: Held = { socket, uses: 0, leave: () => {}, end };
    let isOpen = true;
    open += 1;
    ofSockets.set(socket, held);
    held.leave = idle.add(held);
    socket.on('close', end);

    function end() {
      if (!isOpen) return;
      isOpen = false;
      open -= 1;
      held.leave();
      ofSockets.delete(socket);
    }
  }

  function keep(response: ServerResponse, use: LoginUse) {
    const held = response.socket === null ? undefined : ofSockets.get(response.socket);
    if (held === undefined) return;
    held.uses += 1;
    if (use === 'events') move(held, streams.add(held));
    else if (held.uses === 1 && kept < keptMax) {
      kept += 1;
      move(held, () => {
        kept -= 1;
      });
    }
    response.once('close', () => {
      held.uses -= 1;
      if (held.uses === 0 && ofSockets.get(held.socket) === held) move(held, idle.add(held));
    });
  }
}

/** A connection is in one place at a time. */
function move(held: Held, leave: () => void) {
  held.leave();
  held.leave = leave;
}

interface Held {
  readonly socket: Socket;
  /** Responses to logins that have not ended. */
  uses: number;
  /** Takes it out of the place where it is. */
  leave: () => void;
  /** Frees its permit. */
  readonly end: () => void;
}
