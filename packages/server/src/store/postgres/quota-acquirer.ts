import { type QuotaGrant, type QuotaRequest, type QuotaTime, StoreError } from '../port/port.ts';
import { acquireQuota } from './acquire-quota.ts';
import { failureOf, isStaleConnection } from './failure.ts';
import type { Answer, Pipeline, PipelineConnection, Session } from './pipeline/pipeline.ts';

/** Acquires quota of plans, one transaction after the other. */
export interface QuotaAcquirer {
  acquire(
    requests: readonly QuotaRequest[],
    time: QuotaTime | undefined,
  ): Promise<readonly QuotaGrant[]>;
  close(): Promise<void>;
}

/** How often it is tried in all. */
const triesMax = 3;

/**
 * It has a connection of its own, on which its statement is planned once: that takes longer than
 * all else.
 */
export function createQuotaAcquirer(connection: PipelineConnection): QuotaAcquirer {
  let last: Promise<unknown> = Promise.resolve();
  return {
    acquire(requests, time) {
      // Two transactions cannot share a connection.
      const grants = last.then(() => acquireOrRepeat(requests, time));
      last = grants.catch(() => undefined);
      return grants;
    },
    close: connection.close,
  };

  /**
   * A grant that does not arrive is lost, and so is what was returned with it: if it did arrive, it
   * must not be given back twice.
   */
  async function acquireOrRepeat(requests: readonly QuotaRequest[], time: QuotaTime | undefined) {
    let asked = requests;
    for (let tries = 1; ; tries++) {
      const session = await connection.open();
      if ('error' in session) throw session.error;
      try {
        return await acquireQuota((ask) => transact(session, ask), asked, time);
      } catch (error) {
        session.drop();
        const mayRepeat = failureOf(error) === 'unnamed' || isStaleConnection(error);
        if (tries === triesMax || !mayRepeat) throw error;
        asked = requests.map((request) => ({ ...request, returned: 0 }));
      }
    }
  }
}

/** In one round trip: no replica holds a lock while it does nothing. */
async function transact(session: Session, ask: (pipeline: Pipeline) => Answer): Promise<Answer> {
  const pipeline = session.begin();
  const answer = ask(pipeline);
  const commit = pipeline.query('commit');
  await pipeline.flush();
  if (commit.tag !== 'COMMIT') throw new StoreError(`the commit came to ${commit.tag}`);
  return answer;
}
