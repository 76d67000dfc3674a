import { type Run, scopeOfRun } from '../../domain/run.ts';
import { formatUsd, larger } from '../../lib/money.ts';
import { isDecided } from '../../store/port/port.ts';
import { selectScopes } from '../../store/queries/ledger.ts';
import { endRun as endRunOf, selectOpenRuns, selectRunsOfId } from '../../store/queries/runs.ts';
import { appRow } from '../apps/apps.ts';
import { AdminError } from '../context/admin-error.ts';
import { auditLine } from '../context/audit-line.ts';
import type { AdminContext } from '../context/context.ts';
import { maskRow } from '../context/masking.ts';
import { app, argument, id, optional } from '../description/field.ts';
import { type Operation, operation } from '../description/operation.ts';
import { dollars, factLines, tableLines } from '../description/text-lines.ts';
import type { RunDocument } from '../documents/apps.ts';

const list = operation({
  name: 'runs list',
  about: 'list open runs, newest first',
  right: 'look',
  http: ['GET /runs'],
  apps: 'own',
  input: { app: optional(app('only runs of this app')) },
  example: { app: 'search' },
  result: async () => (await import('../documents/apps.ts')).RunDocuments,
  async run({ admin, apps, session }, input) {
    if (input.app !== undefined) await appRow(admin, input.app);
    const runs = await listRuns(admin, input.app);
    return runs
      .filter((run) => apps?.includes(run.app) !== false)
      .map((run) => maskRow(session, admin.store.ring, run));
  },
  lines: (runs) =>
    tableLines(
      ['run', 'app', 'user', 'ceiling', 'spent', 'held', 'expires', 'label'],
      runs.map((run) => [
        ...[run.id, run.app, run.userId ?? '-'],
        ...[run.maxCostUsd, run.spentUsd, run.heldUsd].map(dollars),
        ...[run.expiresAt, run.label ?? ''],
      ]),
      'No open runs.',
      ['ceiling', 'spent', 'held'],
    ),
});

const end = operation({
  name: 'runs end',
  about: 'end a run; its calls are rejected within 1 s',
  right: 'operate',
  kind: 'change',
  http: ['POST /runs/:id/end'],
  apps: { of: 'run' },
  input: { id: argument(id('run id')) },
  example: { id: 'run_01' },
  result: async () => (await import('../documents/apps.ts')).RunDocument,
  run: ({ admin }, input) => endRun(admin, input.id),
  lines: (run) =>
    factLines([
      ['run', run.id],
      ['app', run.app],
      ['ceiling', dollars(run.maxCostUsd)],
      ['spent', dollars(run.spentUsd)],
      ['held', dollars(run.heldUsd)],
      ['ended', run.endedAt ?? `already expired, ${run.expiresAt}`],
    ]),
});

export const runs: readonly Operation[] = [list, end];

const listedMax = 1_000;

/** Open runs, newest first. */
export async function listRuns(
  { store, clock }: Pick<AdminContext, 'store' | 'clock'>,
  app?: string,
): Promise<readonly RunDocument[]> {
  return documentsOf(store, await store.read(selectOpenRuns(app, clock.now(), listedMax)));
}

/**
 * Every replica rejects calls of the run within 1 s; running calls settle. An ended run stays
 * unchanged. Throws an AdminError for an unknown run.
 */
async function endRun(context: AdminContext, id: string): Promise<RunDocument> {
  const { store, clock } = context;
  const [run] = await store.read(selectRunsOfId(id));
  if (run === undefined) throw noSuchRun(id);
  const ending = { ...endRunOf(run.app, id, clock.now()), abortIfNoRows: true } as const;
  const line = auditLine(context, { action: 'run.end', subject: `${run.app} ${id}` });
  const statements = [ending, line];
  const isEnded = isDecided(statements, await store.write(statements));
  const [after = run] = isEnded ? await store.read(selectRunsOfId(id)) : [run];
  const [document] = await documentsOf(store, [after]);
  if (document === undefined) throw new AdminError(`the run ${id} could not be read: try again`);
  return document;
}

export function noSuchRun(id: string): AdminError {
  return new AdminError(`unknown run ${id}; run "runs list" for open runs`, {
    isUnknown: true,
  });
}

async function documentsOf(
  store: AdminContext['store'],
  runs: readonly Run[],
): Promise<readonly RunDocument[]> {
  if (runs.length === 0) return [];
  const rows = await store.read(selectScopes(runs.map(scopeOfRun)));
  const byScope = new Map(rows.map((row) => [row.scope, row]));
  return runs.map((run) => {
    const { spent, held } = byScope.get(scopeOfRun(run).scope) ?? { spent: 0n, held: 0n };
    return {
      ...{ id: run.id, app: run.app, label: run.label ?? null, userId: run.userId ?? null },
      ...{ parentKeyId: run.parentKeyId, models: run.models ?? null },
      maxCostUsd: formatUsd(run.maxCostPicoUsd),
      spentUsd: formatUsd(spent),
      heldUsd: formatUsd(held),
      remainingUsd: formatUsd(larger(0n, run.maxCostPicoUsd - spent - held)),
      createdAt: timeText(run.createdAtMs),
      expiresAt: timeText(run.expiresAtMs),
      endedAt: run.endedAtMs === undefined ? null : timeText(run.endedAtMs),
    };
  });
}

function timeText(epochMs: number): string {
  return new Date(epochMs).toISOString();
}
