import pg from 'pg';
import type { Clock } from '../../../lib/clock.ts';
import { answerTimeoutMs, connectionOptions } from '../connection.ts';
import { createMessages } from './messages.ts';
import type { Wire } from './pipeline.ts';

/** A connection for transactions one after the other; made when it is needed, and made anew. */
export interface PreparedConnection {
  /** The connection, or why the server cannot be reached. */
  open(): Promise<Wire | { readonly error: unknown }>;
  /** Says that a connection is not to be used any more. */
  drop(client: pg.Client): void;
  close(): Promise<void>;
}

/** After a connection could not be made, the next ones fail at once for so long. */
const awayMs = 200;

/** No connection yet. */
export function createPreparedConnection(parts: {
  readonly url: string;
  readonly clock: Clock;
  /** Called when the server is found away, or a connection broken. */
  readonly onLost: () => void;
}): PreparedConnection {
  const { url, clock, onLost } = parts;
  let current: Wire | undefined;
  let away: { readonly error: unknown; readonly untilMs: number } | undefined;
  return {
    async open() {
      if (current !== undefined) return current;
      // All that wait should hear soon that the store is away, not one after the other.
      if (away !== undefined && clock.monotonic() < away.untilMs) return away;
      const wire = createWire();
      try {
        await wire.client.connect();
      } catch (error) {
        away = { error, untilMs: clock.monotonic() + awayMs };
        onLost();
        return away;
      }
      current = wire;
      return current;
    },
    drop(client) {
      forget(client);
      client.end().catch(() => undefined);
    },
    close: async () => current?.client.end(),
  };

  function createWire(): Wire {
    const client = new pg.Client({ ...connectionOptions(url), query_timeout: answerTimeoutMs });
    // A connection that breaks while nobody waits on it says so here; the next batch finds out.
    client.on('error', () => undefined);
    client.on('end', () => forget(client));
    return { client, prepared: new Map(), messages: createMessages() };
  }

  function forget(client: pg.Client) {
    if (current?.client !== client) return;
    current = undefined;
    onLost();
  }
}
