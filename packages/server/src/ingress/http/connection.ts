import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { IncomingBody } from './body-reader.ts';

/** One request on a socket, and its answer. */
export interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly body: IncomingBody;
  /** That of its socket. */
  readonly connection: Connection;
  /** What is to be told of its end. */
  readonly watch: Watch;
}

/** What is to be told of the end of an exchange. */
export interface Watch {
  /** Until then. */
  isOpen: boolean;
  onLeft: (() => void) | undefined;
  onTaken: (() => void) | undefined;
}

/** The requests of one socket: answers go out in their order, and so does the last word. */
export interface Connection {
  begin(exchange: Exchange): void;
  /** The request whose body has not come to its end. */
  arriving(): Exchange | undefined;
  /** Whether an answer is not out yet, but for that of `but`. */
  isAnswering(but?: Exchange): boolean;
  /** Calls `run` when the client leaves before it has the answer of `exchange`. */
  whenLeft(exchange: Exchange, run: () => void): void;
  /** Calls `run` when the client has taken the answer of `exchange`, or has left. */
  whenTaken(exchange: Exchange, run: () => void): void;
  /** A known key came. */
  noteKey(): void;
  /** Whether one ever came. */
  hasKey(): boolean;
  /**
   * From now on nothing that comes is a request. Calls `run` when no answer is on its way any more
   * but that of `last`, which is then given otherwise; never when the client leaves before.
   */
  end(run: () => void, last?: Exchange): void;
  /** Whether its end has been said. */
  isEnding(): boolean;
  /** Whether it ends with the answer of this exchange, which came to no end itself. */
  isEndingWith(exchange: Exchange): boolean;
}

const connections = new WeakMap<Duplex, Connection>();

/** What is known of a socket. */
export function connectionOf(socket: Duplex): Connection {
  const known = connections.get(socket);
  if (known !== undefined) return known;
  const made = createConnection(socket);
  connections.set(socket, made);
  return made;
}

function createConnection(socket: Duplex): Connection {
  // Mostly one: few clients send a request before they have the answer to the last one.
  const open: Exchange[] = [];
  let hasKey = false;
  let last: Exchange | undefined;
  let onEnd: (() => void) | undefined;
  let ending: { readonly last: Exchange | undefined } | undefined;
  socket.on('close', () => {
    onEnd = undefined;
    // Of an answer that waits for others before it Node does not say that it will never go out.
    for (const exchange of open.splice(0)) tell(exchange);
  });
  return {
    begin(exchange) {
      last = exchange;
      open.push(exchange);
      exchange.outgoing.on('close', () => {
        close(exchange);
        endWhenAnswered();
      });
    },
    arriving: () => (last === undefined || last.incoming.complete ? undefined : last),
    isAnswering,
    whenLeft({ watch }, run) {
      if (watch.isOpen) watch.onLeft = run;
      else run();
    },
    whenTaken({ watch }, run) {
      if (watch.isOpen) watch.onTaken = run;
      else run();
    },
    noteKey() {
      hasKey = true;
    },
    hasKey: () => hasKey,
    end(run, lastExchange) {
      ending = { last: lastExchange };
      if (socket.destroyed) return;
      onEnd = run;
      endWhenAnswered();
    },
    isEnding: () => ending !== undefined,
    isEndingWith: (exchange) => ending?.last === exchange,
  };

  function close(exchange: Exchange) {
    const index = open.indexOf(exchange);
    if (index >= 0) open.splice(index, 1);
    tell(exchange);
  }

  function tell({ watch, outgoing }: Exchange) {
    if (!watch.isOpen) return;
    watch.isOpen = false;
    if (!outgoing.writableFinished) watch.onLeft?.();
    watch.onTaken?.();
  }

  function isAnswering(but?: Exchange): boolean {
    return open.length > (but?.watch.isOpen === true ? 1 : 0);
  }

  function endWhenAnswered() {
    if (onEnd === undefined || isAnswering(ending?.last)) return;
    const run = onEnd;
    onEnd = undefined;
    run();
  }
}
