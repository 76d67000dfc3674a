import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { createChain } from '../../lib/chain.ts';

export type LoginUse = 'response' | 'events';

export interface OperatorConnections {
  /** False: every other connection serves a login, so none gives way. */
  admit(socket: Socket): boolean;
  protect(response: ServerResponse, use: LoginUse): void;
}

/** Logins never use these permits, so probes always find one. */
const reserved = 10;

/**
 * This listener has no keys, and probes use it. Connections without a login give way first, least
 * recently used first. Event streams follow: their pages fall back to polling. ADR 0117.
 */
export function createOperatorConnections(parts: {
  readonly connectionsMax: number;
  readonly onDrop: () => void;
}): OperatorConnections {
  const { connectionsMax, onDrop } = parts;
  const idle = createChain<Held>();
  const streams = createChain<Held>();
  const ofSockets = new WeakMap<object, Held>();
  const protectedMax = Math.max(1, connectionsMax - reserved);
  let open = 0;
  let protectedCount = 0;
  return { admit, protect };

  function admit(socket: Socket): boolean {
    if (open >= connectionsMax) {
      const oldest = idle.first() ?? streams.first();
      if (oldest === undefined) return false;
      // The permit is free at once; the socket's `close` comes later.
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

  function protect(response: ServerResponse, use: LoginUse) {
    const held = response.socket === null ? undefined : ofSockets.get(response.socket);
    if (held === undefined) return;
    held.uses += 1;
    if (use === 'events') move(held, streams.add(held));
    else if (held.uses === 1 && protectedCount < protectedMax) {
      protectedCount += 1;
      move(held, () => {
        protectedCount -= 1;
      });
    }
    response.once('close', () => {
      held.uses -= 1;
      if (held.uses === 0 && ofSockets.get(held.socket) === held) move(held, idle.add(held));
    });
  }
}

function move(held: Held, leave: () => void) {
  held.leave();
  held.leave = leave;
}

interface Held {
  readonly socket: Socket;
  uses: number;
  leave: () => void;
  readonly end: () => void;
}
