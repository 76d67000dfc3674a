import { instancesSince } from '../../books/instance.ts';
import type { Operation } from '../../books/operations.ts';
import type { OperationResult } from '../port/port.ts';
import { BrokenPromise, CommitIndeterminate, commitBatch, type LineParts } from './commit.ts';
import { type Failure, failureOf, messageOf } from './connection/failure.ts';
import type { ConnectionHealth } from './connection-health.ts';
import type { PipelineConnection } from './pipeline/pipeline.ts';
import { createScopeHints } from './scope-hints.ts';

export interface Committer {
  commit(batch: readonly Operation[]): Promise<readonly OperationResult[]>;
  close(): Promise<void>;
}

const triesMax = 4;

export function createCommitter(
  connection: PipelineConnection,
  health: ConnectionHealth,
  lines: LineParts,
): Committer {
  const scopeHints = createScopeHints();
  let last: Promise<unknown> = Promise.resolve();
  return {
    commit(batch) {
      // Two transactions cannot share a connection.
      const result = last.then(() => commit(batch, false));
      last = result.catch(() => undefined);
      return result;
    },
    close: connection.close,
  };

  /** `wasIndeterminate`: an earlier try may have committed these. */
  async function commit(
    batch: readonly Operation[],
    wasIndeterminate: boolean,
  ): Promise<readonly OperationResult[]> {
    let isIndeterminate = wasIndeterminate;
    let verifyKeys = false;
    for (let tries = 1; ; tries++) {
      const session = await connection.open();
      if ('error' in session) return allFailed(batch, isIndeterminate, session.error);
      try {
        // While the store was unavailable, no instance could write its heartbeat.
        const heartbeatsSince = health.wasRecentlyLost() ? 0 : instancesSince(batch);
        return await commitBatch(batch, {
          ...{ session, verifyKeys, heartbeatsSince, scopeHints },
          ...lines,
        });
      } catch (error) {
        isIndeterminate ||= error instanceof CommitIndeterminate;
        const failure = error instanceof BrokenPromise ? 'operation' : failureOf(error);
        const suspects = partsOf(batch, failure);
        if (suspects.length > 1) return commitApart(suspects, isIndeterminate);
        if (failure === 'operation') return batch.map(() => failed('invalid', error));
        if (failure === 'locked') return allFailed(batch, isIndeterminate, error);
        if (failure === 'key') verifyKeys = true;
        else session.drop();
        if (tries === triesMax) return allFailed(batch, isIndeterminate, error);
      }
    }
  }

  /** One transaction per part: only the failing part fails. */
  async function commitApart(
    parts: readonly (readonly Entry[])[],
    wasIndeterminate: boolean,
  ): Promise<readonly OperationResult[]> {
    const results: (readonly [index: number, OperationResult])[] = [];
    for (const part of parts) {
      const answers = await commit(
        part.map(([, operation]) => operation),
        wasIndeterminate,
      );
      for (const [at, answer] of answers.entries()) results.push([part[at]?.[0] ?? 0, answer]);
    }
    return results.sort(([a], [b]) => a - b).map(([, result]) => result);
  }
}

type Entry = readonly [index: number, operation: Operation];

/** Its operations, or groups of them by app. */
function partsOf(batch: readonly Operation[], failure: Failure): readonly (readonly Entry[])[] {
  const entries = [...batch.entries()];
  if (failure === 'operation') return entries.map((entry) => [entry]);
  if (failure !== 'locked') return [entries];
  return [...Map.groupBy(entries, ([, operation]) => appOf(operation)).values()];
}

function appOf(operation: Operation): string {
  return 'facts' in operation ? operation.facts.app : operation.app;
}

function failed(
  kind: 'invalid' | 'unavailable' | 'indeterminate',
  error: unknown,
): OperationResult {
  return { ok: false, kind, error: messageOf(error) };
}

function allFailed(batch: readonly Operation[], isIndeterminate: boolean, error: unknown) {
  return batch.map(() => failed(isIndeterminate ? 'indeterminate' : 'unavailable', error));
}
