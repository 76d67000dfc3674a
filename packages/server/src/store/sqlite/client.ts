import assert from 'node:assert';
import { MessageChannel, type MessagePort, type Worker } from 'node:worker_threads';
import type { Log } from '../../lib/log.ts';
import { type Store, StoreError } from '../port/port.ts';
import type { OnLines } from '../schema/audit-chain.ts';
import type { Bell } from './bell.ts';
import type { Ask, Reply, Told, Trouble, Usual } from './messages.ts';
import { packOperation } from './pack-operation.ts';
import { unpackResults } from './pack-results.ts';
import { createTray, type Tray } from './tray.ts';

type WithoutId<T> = T extends unknown ? Omit<T, 'id'> : never;
type Expected<Kind extends Reply['kind']> = Extract<Reply, { kind: Kind }>;

interface Parts {
  readonly bell: Bell;
  readonly tray: Tray;
  readonly onDeath: (error: StoreError) => void;
  readonly onLines?: OnLines | undefined;
  readonly log: Log;
}

/** What asks the store's thread. */
export interface Client extends Omit<Store, 'isShared' | 'readAside' | 'acquire' | 'share'> {
  acquire: NonNullable<Store['acquire']>;
  /** The port and the tray of a further thread, which asks by a client of its own. */
  join(): Promise<{ readonly port: MessagePort; readonly tray: SharedArrayBuffer }>;
}

/**
 * Asks the store's thread, which has opened its database: the thread itself, or through the port
 * that it was told to hear. When it ends by itself all that waits fails, and then `onDeath` is
 * called.
 */
export function createClient(worker: Worker | MessagePort, parts: Parts): Client {
  const { ask, post, end } = createAsks(worker, parts);
  return {
    kind: 'sqlite',
    async commit(batch) {
      const { results } = await ask('committed', (id) => {
        if (parts.tray.lay(id, batch)) return;
        post({ kind: 'commit', batch: batch.map(packOperation) })(id);
      });
      return unpackResults(batch, results);
    },
    async read({ sql, values, map }) {
      return map((await ask('rows', post({ kind: 'read', statement: { sql, values } }))).rows);
    },
    async write(statements) {
      return (await ask('written', post({ kind: 'write', statements }))).counts;
    },
    async acquire(requests, time) {
      assert(time !== undefined, 'an embedded store has no clock of its own');
      return (await ask('granted', post({ kind: 'acquire', requests, time }))).grants;
    },
    async join() {
      const { port1, port2 } = new MessageChannel();
      const { memory: tray } = createTray(parts.bell);
      await ask('done', post({ kind: 'join', port: port2, tray }, [port2]));
      return { port: port1, tray };
    },
    epochs: {
      look: async () => (await ask('seen', post({ kind: 'look' }))).origin,
      begin: async (storeId) => void (await ask('done', post({ kind: 'begin', storeId }))),
      end: async () => void (await ask('done', post({ kind: 'end' }))),
    },
    close: end,
  };
}

/** Sends what is asked, each with its number, and gives each answer to who waits for it. */
function createAsks(worker: Worker | MessagePort, { tray, onDeath, onLines, log }: Parts) {
  const waiting = new Map<number, (reply: Reply) => void>();
  let asked = 0;
  let isClosed = false;
  worker.on('message', (reply: Reply | Usual | Trouble | Told) => {
    if (typeof reply === 'number') {
      return answered({ id: reply, kind: 'committed', results: [] });
    }
    if (reply.kind === 'lines') return onLines?.(reply.lines);
    if (reply.kind === 'trouble') {
      log.error({ error: reply.error }, 'the upkeep of the store did not go through');
      return;
    }
    answered(reply);
  });
  worker.on('error', (error) => die(`the store's thread failed: ${String(error)}`));
  for (const end of ['exit', 'close']) worker.on(end, () => die("the store's thread has ended"));
  return {
    ask,
    post,
    async end() {
      if (isClosed) return;
      const closed = ask('closed', post({ kind: 'close' }));
      isClosed = true;
      await closed;
    },
  };

  function ask<Kind extends Reply['kind']>(
    expected: Kind,
    send: (id: number) => void,
  ): Promise<Expected<Kind>> {
    if (isClosed) return Promise.reject(new StoreError('the store is closed'));
    return new Promise((resolve, reject) => {
      const id = asked;
      // What cannot be sent throws here: its number is given to the next one.
      send(id);
      asked++;
      waiting.set(id, (reply) => {
        if (isKind(reply, expected)) resolve(reply);
        else reject(new StoreError(reply.kind === 'failed' ? reply.error : `odd ${reply.kind}`));
      });
      tray.asked();
    });
  }

  function post(message: WithoutId<Ask>, moved: readonly MessagePort[] = []): (id: number) => void {
    return (id) => worker.postMessage({ ...message, id }, [...moved]);
  }

  function answered(reply: Reply) {
    const settle = waiting.get(reply.id);
    waiting.delete(reply.id);
    settle?.(reply);
  }

  function die(message: string) {
    if (isClosed) return;
    isClosed = true;
    for (const [id, settle] of waiting) settle({ id, kind: 'failed', error: message });
    waiting.clear();
    onDeath(new StoreError(message));
  }
}

function isKind<Kind extends Reply['kind']>(reply: Reply, kind: Kind): reply is Expected<Kind> {
  return reply.kind === kind;
}
