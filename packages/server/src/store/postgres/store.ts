import { type Clock, systemClock } from '../../lib/clock.ts';
import type { KeyRing } from '../../lib/key-ring.ts';
import type { Log } from '../../lib/log.ts';
import { type SqlRow, type Store, StoreError, UnstorableError } from '../port/port.ts';
import { storable } from '../port/storable.ts';
import type { OnLines } from '../schema/audit-chain.ts';
import { big } from '../schema/columns.ts';
import { clearTextWarning } from './clear-text.ts';
import { createCommitter } from './committer.ts';
import { isUnstorable, messageOf } from './connection/failure.ts';
import { createConnectionHealth } from './connection-health.ts';
import type { Migrating } from './migrate.ts';
import { createPipelineConnections } from './pipeline/pipeline.ts';
import { createPool } from './pool.ts';
import { prepareServer } from './prepare-server.ts';
import { createQuotaAcquirer } from './quota-acquirer.ts';
import { createReadings } from './readings.ts';
import { createServerClock } from './server-clock.ts';

/** At the start; the quickest answer counts. */
const clockSamples = 3;

/**
 * Connections: one commits batches, one acquires quota, a small pool for the rest, a smaller one
 * only reads. Throws a StoreError when the store cannot be reached or migrated.
 */
export async function openPostgresStore(parts: {
  readonly url: string;
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
  const readings = createReadings(url);
  const createConnection = createPipelineConnections({
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
    read: (query) => withStoreErrors(() => (query.isLong ? readings : pool).read(query)),
    readAside: (query) => withStoreErrors(() => readings.read(query)),
    write: (statements) => withStoreErrors(() => pool.write(statements)),
    acquire: (requests, time) => withStoreErrors(() => acquirer.acquire(requests, time)),
    async close() {
      const others = [pool, readings, committer, acquirer];
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
  'there is no key ring: kept answers are closed by their idempotency keys alone; set MODEL_GATEWAY_KEYS';

const selectNow = {
  sql: 'select cast(extract(epoch from clock_timestamp()) * 1000 as bigint) as now',
  values: [],
  map: ([row]: readonly SqlRow[]) => (row === undefined ? 0 : Number(big(row, 'now'))),
} as const;
