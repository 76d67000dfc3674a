import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { IncomingBody } from '../body/body-reader.ts';

export interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly body: IncomingBody;
  readonly connection: Connection;
  readonly watch: Watch;
  readonly whenLeft: (run: () => void) => void;
  readonly whenTaken: (run: () => void) => void;
}

interface Watch {
  isOpen: boolean;
  onLeft: (() => void) | undefined;
  onTaken: (() => void) | undefined;
}

interface Known {
  /** Ever. */
  hasKey: boolean;
  /** Set once the end was announced; it may end with an unfinished exchange. */
  ending: { readonly last: Exchange | undefined } | undefined;
}

/** Answers go out in request order, the final one too. */
export interface Connection extends Readonly<Known> {
  begin(incoming: IncomingMessage, outgoing: ServerResponse, body: IncomingBody): Exchange;
  /** Its body is not complete yet. */
  arriving(): Exchange | undefined;
  /** An answer is pending, except that of `but`. */
  isAnswering(but?: Exchange): boolean;
  noteKey(): void;
  whenKeyed(run: () => void): void;
  /**
   * Ignores later input. Runs `run` when no answer except `last`'s is pending; never if the client
   * leaves before.
   */
  end(run: () => void, last?: Exchange): void;
}

const connections = new WeakMap<Duplex, Connection>();

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
  let last: Exchange | undefined;
  let onEnd: (() => void) | undefined;
  let onKey: (() => void) | undefined;
  socket.on('close', () => {
    onEnd = undefined;
    // Of an answer that waits for others before it Node does not say that it will never go out.
    for (const exchange of open.splice(0)) tell(exchange);
  });
  const connection: Connection & Known = {
    hasKey: false,
    ending: undefined,
    begin(incoming, outgoing, body) {
      const exchange = createExchange({ incoming, outgoing, body, connection });
      last = exchange;
      open.push(exchange);
      outgoing.on('close', () => {
        const index = open.indexOf(exchange);
        if (index >= 0) open.splice(index, 1);
        tell(exchange);
        if (onEnd !== undefined) endWhenAnswered(onEnd);
      });
      return exchange;
    },
    arriving: () => (last === undefined || last.incoming.complete ? undefined : last),
    isAnswering,
    noteKey() {
      if (connection.hasKey) return;
      connection.hasKey = true;
      onKey?.();
    },
    whenKeyed(run) {
      onKey = run;
    },
    end(run, lastExchange) {
      connection.ending = { last: lastExchange };
      if (socket.destroyed) return;
      onEnd = run;
      endWhenAnswered(run);
    },
  };
  return connection;

  function tell({ watch, outgoing }: Exchange) {
    if (!watch.isOpen) return;
    watch.isOpen = false;
    if (!outgoing.writableFinished) watch.onLeft?.();
    watch.onTaken?.();
  }

  function isAnswering(but?: Exchange): boolean {
    return open.length > (but?.watch.isOpen === true ? 1 : 0);
  }

  function endWhenAnswered(run: () => void) {
    if (isAnswering(connection.ending?.last)) return;
    onEnd = undefined;
    run();
  }
}

function createExchange(
  parts: Pick<Exchange, 'incoming' | 'outgoing' | 'body' | 'connection'>,
): Exchange {
  const { incoming, outgoing, body, connection } = parts;
  const watch: Watch = { isOpen: true, onLeft: undefined, onTaken: undefined };
  return {
    incoming,
    outgoing,
    body,
    connection,
    watch,
    whenLeft(run) {
      if (watch.isOpen) watch.onLeft = run;
      else run();
    },
    whenTaken(run) {
      if (watch.isOpen) watch.onTaken = run;
      else run();
    },
  };
}
