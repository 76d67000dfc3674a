import { isIP } from 'node:net';
import { type Clock, systemClock } from '../../lib/clock.ts';
import type { KeyRing } from '../../lib/key-ring.ts';
import type { Log } from '../../lib/log.ts';
import {
  type QuotaGrant,
  type QuotaRequest,
  type QuotaTime,
  type ServerClock,
  type SqlRow,
  type Store,
  StoreError,
  UnstorableError,
} from '../port/port.ts';
import { storable } from '../port/storable.ts';
import type { OnLines } from '../schema/audit-chain.ts';
import { big } from '../schema/columns.ts';
import { acquireQuota } from './acquire-quota.ts';
import { createCommitter } from './committer.ts';
import { failureOf, isStaleConnection, isUnstorable, messageOf } from './connection/failure.ts';
import { createConnectionHealth } from './connection-health.ts';
import type { Migrating } from './migrate.ts';
import { createOperatorQueries } from './operator-queries.ts';
import type {
  Answer,
  Pipeline,
  PipelineConnection,
  PipelineParts,
  Session,
} from './pipeline/pipeline.ts';
import { createPool } from './pool.ts';
import { prepareServer } from './prepare-server.ts';

const clockSamples = 3;

/**
 * Connections: one commits batches, one acquires quota, a small pool does the rest, a smaller one
 * only reads. Throws a StoreError if the store is unreachable or cannot be migrated.
 */
export async function openPostgresStore(parts: {
  readonly url: string;
  readonly connections: (parts: PipelineParts) => () => PipelineConnection;
  readonly log: Log;
  readonly ring?: KeyRing | undefined;
  readonly onLines?: OnLines | undefined;
  /** Default: the machine's. */
  readonly clock?: Clock;
  readonly migrating?: Partial<Migrating>;
}): Promise<Store> {
  const { url, log, ring, onLines = () => undefined, clock = systemClock } = parts;
  const warning = clearTextWarning(url);
  if (warning !== undefined) log.warn({}, warning);
  if (ring === undefined) log.warn({}, noRing);
  const begin = await prepareServer(url, log, parts.migrating);
  const health = createConnectionHealth(clock);
  const pool = createPool({ url, begin: begin.change, health, ring, onLines });
  const operatorQueries = createOperatorQueries(url);
  const createConnection = parts.connections({
    ...{ url, begin: begin.batch, clock, log, onLost: health.markLost },
  });
  const committer = createCommitter(createConnection(), health, { ring, onLines });
  const acquirer = createQuotaAcquirer(createConnection());
  const serverClock = createServerClock(clock, () => pool.read(selectNow));
  for (let sample = 0; sample < clockSamples; sample++) await serverClock.measure();
  return storable<Store>({
    ...{ kind: 'postgres', isShared: true },
    ring,
    clock: { ...serverClock, measure: () => withStoreErrors(serverClock.measure) },
    commit: (batch) => withStoreErrors(() => committer.commit(batch)),
    read: (query) => withStoreErrors(() => (query.isLong ? operatorQueries : pool).read(query)),
    readForOperator: (query) => withStoreErrors(() => operatorQueries.read(query)),
    write: (statements) => withStoreErrors(() => pool.write(statements)),
    acquire: (requests, time) => withStoreErrors(() => acquirer.acquire(requests, time)),
    async close() {
      const others = [pool, operatorQueries, committer, acquirer];
      await Promise.all(others.map((connections) => connections.close()));
    },
  });

  async function withStoreErrors<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (cause) {
      if (cause instanceof StoreError) throw cause;
      if (isUnstorable(cause)) throw new UnstorableError();
      throw new StoreError(messageOf(cause), { cause });
    }
  }
}

const noRing =
  'no key ring is set; stored responses are encrypted only with their idempotency keys; set MODEL_GATEWAY_KEYS';

const selectNow = {
  sql: 'select cast(extract(epoch from clock_timestamp()) * 1000 as bigint) as now',
  values: [],
  map: ([row]: readonly SqlRow[]) => (row === undefined ? 0 : Number(big(row, 'now'))),
} as const;

const safeModes: readonly string[] = ['verify-full', 'verify-ca'];

/** Undefined if TLS protects the traffic. Never contains the URL's password. */
export function clearTextWarning(url: string): string | undefined {
  const { hostname, searchParams } = new URL(url);
  const host = searchParams.get('host') ?? hostname;
  if (isThisMachine(host)) return undefined;
  const mode = searchParams.get('sslmode');
  if (mode !== null && safeModes.includes(mode)) return undefined;
  const sslState = mode === null ? 'has no sslmode' : `has sslmode=${mode}`;
  return `store URL ${sslState}, so the connection to ${host} can be intercepted; add sslmode=verify-full, and sslrootcert=FILE for a private CA`;
}

/** A path is a socket on this machine. */
function isThisMachine(host: string): boolean {
  if (host === '' || host.startsWith('/') || host.startsWith('%2F')) return true;
  const name = host.replace(/^\[|\]$/g, '').toLowerCase();
  if (isIP(name) === 4) return name.startsWith('127.');
  return name === 'localhost' || name === '::1';
}

/**
 * `readEpochMs` returns milliseconds since 1970. The monotonic clock bridges two readings, so a
 * step of this machine's clock changes nothing.
 */
export function createServerClock(clock: Clock, readEpochMs: () => Promise<number>): ServerClock {
  let reference: { readonly epochMs: number; readonly atMs: number } | undefined;
  return {
    skewMs: () =>
      reference === undefined ? 0 : epochMsAt(reference, clock.monotonic()) - clock.now(),
    async measure() {
      const sentMs = clock.monotonic();
      const epochMs = await readEpochMs();
      const uncertainMs = (clock.monotonic() - sentMs) / 2;
      const atMs = sentMs + uncertainMs;
      // A slow response is imprecise, so the current value is valid until one refutes it.
      const isRefuted =
        reference === undefined || Math.abs(epochMsAt(reference, atMs) - epochMs) > uncertainMs;
      if (isRefuted) reference = { epochMs, atMs };
    },
  };
}

function epochMsAt(reference: { epochMs: number; atMs: number }, monotonicMs: number): number {
  return reference.epochMs + monotonicMs - reference.atMs;
}

interface QuotaAcquirer {
  acquire(
    requests: readonly QuotaRequest[],
    time: QuotaTime | undefined,
  ): Promise<readonly QuotaGrant[]>;
  close(): Promise<void>;
}

const triesMax = 3;

/**
 * The connection is separate: planning its statement takes longer than all else, and happens once
 * there.
 */
export function createQuotaAcquirer(connection: PipelineConnection): QuotaAcquirer {
  let last: Promise<unknown> = Promise.resolve();
  return {
    acquire(requests, time) {
      // Two transactions cannot share a connection.
      const grants = last.then(() => acquireWithRetry(requests, time));
      last = grants.catch(() => undefined);
      return grants;
    },
    close: connection.close,
  };

  /** A lost grant also loses the returned quota: a second return would be counted twice. */
  async function acquireWithRetry(requests: readonly QuotaRequest[], time: QuotaTime | undefined) {
    let current = requests;
    for (let tries = 1; ; tries++) {
      const session = await connection.open();
      if ('error' in session) throw session.error;
      try {
        return await acquireQuota((queue) => transact(session, queue), current, time);
      } catch (error) {
        session.drop();
        const mayRetry = failureOf(error) === 'unnamed' || isStaleConnection(error);
        if (tries === triesMax || !mayRetry) throw error;
        current = requests.map((request) => ({ ...request, returned: 0 }));
      }
    }
  }
}

/** One round trip: no replica holds a lock while idle. */
async function transact(session: Session, queue: (pipeline: Pipeline) => Answer): Promise<Answer> {
  const pipeline = session.begin();
  const answer = queue(pipeline);
  const commit = pipeline.query('commit');
  await pipeline.flush();
  if (commit.tag !== 'COMMIT') throw new StoreError(`the commit returned ${commit.tag}`);
  return answer;
}
