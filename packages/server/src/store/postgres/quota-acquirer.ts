import type { Clock } from '../../lib/clock.ts';
import { type QuotaGrant, type QuotaRequest, StoreError } from '../port.ts';
import { acquireQuota } from './acquire-quota.ts';
import type { ConnectionHealth } from './connection-health.ts';
import { failureOf, isStaleConnection } from './failure.ts';
import { type Answer, createPipeline, type Pipeline, type Wire } from './pipeline/pipeline.ts';
import { createPreparedConnection } from './pipeline/prepared-connection.ts';
import type { StatementNames } from './pipeline/statement-name.ts';

/** Acquires quota of plans, one transaction after the other. */
export interface QuotaAcquirer {
  acquire(
    requests: readonly QuotaRequest[],
    now: number | undefined,
  ): Promise<readonly QuotaGrant[]>;
  close(): Promise<void>;
}

/** How often it is tried in all. */
const triesMax = 3;

/**
 * It has a connection of its own, on which its statement is planned once: that takes longer than
 * all else. `begin` has what begins a transaction.
 */
export function createQuotaAcquirer(parts: {
  readonly url: string;
  readonly begin: readonly string[];
  readonly clock: Clock;
  readonly names: StatementNames;
  readonly health: ConnectionHealth;
}): QuotaAcquirer {
  const { begin, names, health } = parts;
  const connection = createPreparedConnection({ ...parts, onLost: health.markLost });
  let last: Promise<unknown> = Promise.resolve();
  return {
    acquire(requests, now) {
      // Two transactions cannot share a connection.
      const grants = last.then(() => acquireQuota(transact, requests, now));
      last = grants.catch(() => undefined);
      return grants;
    },
    close: connection.close,
  };

  /** A grant that does not arrive is lost, so it may always be repeated. */
  async function transact(ask: (pipeline: Pipeline) => Answer): Promise<Answer> {
    for (let tries = 1; ; tries++) {
      const wire = await connection.open();
      if ('error' in wire) throw wire.error;
      try {
        return await tryOnce(wire, ask);
      } catch (error) {
        connection.drop(wire.client);
        const isUnnamed = failureOf(error) === 'unnamed';
        if (isUnnamed) names.lost(error);
        if (tries === triesMax || !(isUnnamed || isStaleConnection(error))) throw error;
      }
    }
  }

  /** In one round trip: nobody waits for a lock that a replica holds while it does nothing. */
  async function tryOnce(wire: Wire, ask: (pipeline: Pipeline) => Answer): Promise<Answer> {
    const pipeline = createPipeline(wire, { isNamed: names.isNamed() });
    for (const statement of begin) pipeline.query(statement);
    const answer = ask(pipeline);
    const commit = pipeline.query('commit');
    await pipeline.flush();
    if (commit.tag !== 'COMMIT') throw new StoreError(`the commit came to ${commit.tag}`);
    return answer;
  }
}
