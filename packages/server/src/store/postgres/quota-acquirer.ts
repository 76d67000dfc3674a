import { type QuotaGrant, type QuotaRequest, type QuotaTime, StoreError } from '../port/port.ts';
import { acquireQuota } from './acquire-quota.ts';
import { failureOf, isStaleConnection } from './connection/failure.ts';
import type { Answer, Pipeline, PipelineConnection, Session } from './pipeline/pipeline.ts';

export interface QuotaAcquirer {
  acquire(
    requests: readonly QuotaRequest[],
    time: QuotaTime | undefined,
  ): Promise<readonly QuotaGrant[]>;
  close(): Promise<void>;
}

const triesMax = 3;

/**
 * The connection is its own: planning its statement takes longer than all else, and happens once
 * there.
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

  /** A lost grant also loses what was returned: given back twice, it would be counted twice. */
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

/** One round trip: no replica holds a lock while idle. */
async function transact(session: Session, ask: (pipeline: Pipeline) => Answer): Promise<Answer> {
  const pipeline = session.begin();
  const answer = ask(pipeline);
  const commit = pipeline.query('commit');
  await pipeline.flush();
  if (commit.tag !== 'COMMIT') throw new StoreError(`the commit came to ${commit.tag}`);
  return answer;
}
