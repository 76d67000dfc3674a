import assert from 'node:assert';
import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import type { Ask, Reply, Usual } from './messages.ts';
import type { Tray } from './tray.ts';

/** A thread that asks the store's, as that one sees it. */
export interface Asking {
  /** What it asks next; undefined while that is nothing. */
  next(): Ask | undefined;
  reply(reply: Reply | Usual): void;
  /** It asks nothing more. */
  end(): void;
}

/** Asks are laid in the tray, or come through the port where they are not to be laid. */
export function createAsking(port: MessagePort, tray: Tray): Asking {
  let number = 0;
  return {
    next() {
      if (!tray.has(number)) return undefined;
      const id = number++;
      const batch = tray.take(id);
      if (batch !== undefined) return { id, kind: 'commit', batch };
      const received: { message: Ask } | undefined = receiveMessageOnPort(port);
      assert(
        received?.message.id === id,
        'what is asked is laid in the tray, or sent, before it counts',
      );
      return received.message;
    },
    reply: (reply) => port.postMessage(reply),
    end: () => port.close(),
  };
}
