import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { IncomingBody } from '../body/body-reader.ts';

export interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly body: IncomingBody;
  readonly connection: Connection;
  readonly watch: Watch;
  readonly whenDisconnected: (run: () => void) => void;
  readonly whenAccepted: (run: () => void) => void;
}

interface Watch {
  isOpen: boolean;
  onDisconnected: (() => void) | undefined;
  onAccepted: (() => void) | undefined;
}

interface ConnectionState {
  /** Stays true after the first key. */
  hasKey: boolean;
  /** Set when the end is announced; the connection may end with an unfinished exchange. */
  ending: { readonly last: Exchange | undefined } | undefined;
}

/** Responses are sent in request order, including the final one. */
export interface Connection extends Readonly<ConnectionState> {
  begin(incoming: IncomingMessage, outgoing: ServerResponse, body: IncomingBody): Exchange;
  /** An exchange whose body is incomplete. */
  arriving(): Exchange | undefined;
  /** A response is pending, except that of `but`. */
  isAnswering(but?: Exchange): boolean;
  noteKey(): void;
  whenKeyed(run: () => void): void;
  /**
   * Ignores later input. Runs `run` when only the response of `last` is pending; never if the
   * client disconnects first.
   */
  end(run: () => void, last?: Exchange): void;
}

const connections = new WeakMap<Duplex, Connection>();

export function connectionOf(socket: Duplex): Connection {
  const known = connections.get(socket);
  if (known !== undefined) return known;
  const created = createConnection(socket);
  connections.set(socket, created);
  return created;
}

function createConnection(socket: Duplex): Connection {
  // Usually one: few clients send a request before the previous response.
  const open: Exchange[] = [];
  let last: Exchange | undefined;
  let onEnd: (() => void) | undefined;
  let onKey: (() => void) | undefined;
  socket.on('close', () => {
    onEnd = undefined;
    // For a response behind others in the queue, Node reports no failure.
    for (const exchange of open.splice(0)) notify(exchange);
  });
  const connection: Connection & ConnectionState = {
    hasKey: false,
    ending: undefined,
    begin(incoming, outgoing, body) {
      const exchange = createExchange({ incoming, outgoing, body, connection });
      last = exchange;
      open.push(exchange);
      outgoing.on('close', () => {
        const index = open.indexOf(exchange);
        if (index >= 0) open.splice(index, 1);
        notify(exchange);
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

  function notify({ watch, outgoing }: Exchange) {
    if (!watch.isOpen) return;
    watch.isOpen = false;
    if (!outgoing.writableFinished) watch.onDisconnected?.();
    watch.onAccepted?.();
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
  const watch: Watch = { isOpen: true, onDisconnected: undefined, onAccepted: undefined };
  return {
    incoming,
    outgoing,
    body,
    connection,
    watch,
    whenDisconnected(run) {
      if (watch.isOpen) watch.onDisconnected = run;
      else run();
    },
    whenAccepted(run) {
      if (watch.isOpen) watch.onAccepted = run;
      else run();
    },
  };
}
