import { appRow } from '../apps/apps.ts';
import { masked } from '../context/seen.ts';
import { app, argument, id, optional } from '../description/field.ts';
import { type Operation, operation } from '../description/operation.ts';
import { dollars, factLines, tableLines } from '../description/text-lines.ts';
import { endRun, listRuns } from './runs.ts';

const list = operation({
  name: 'runs list',
  about: 'list the open runs, the newest first',
  right: 'look',
  http: ['GET /runs'],
  apps: 'own',
  input: { app: optional(app('only those of one app')) },
  example: { app: 'search' },
  result: async () => (await import('../documents/runs.ts')).RunDocuments,
  async run({ admin, apps, who }, input) {
    if (input.app !== undefined) await appRow(admin, input.app);
    const runs = await listRuns(admin, input.app);
    return runs
      .filter((run) => apps?.includes(run.app) !== false)
      .map((run) => masked(who, admin.store.ring, run));
  },
  lines: (runs) =>
    tableLines(
      ['run', 'app', 'user', 'ceiling', 'spent', 'held', 'expires', 'label'],
      runs.map((run) => [
        ...[run.id, run.app, run.userId ?? '-'],
        ...[run.maxCostUsd, run.spentUsd, run.heldUsd].map(dollars),
        ...[run.expiresAt, run.label ?? ''],
      ]),
      'No run is open.',
      ['ceiling', 'spent', 'held'],
    ),
});

const end = operation({
  name: 'runs end',
  about: 'end a run: its calls are refused within 1 s',
  right: 'operate',
  kind: 'change',
  http: ['POST /runs/:id/end'],
  apps: { of: 'run' },
  input: { id: argument(id('the id of the run')) },
  example: { id: 'run_01' },
  result: async () => (await import('../documents/runs.ts')).RunDocument,
  run: ({ admin }, input) => endRun(admin, input.id),
  lines: (run) =>
    factLines([
      ['run', run.id],
      ['app', run.app],
      ['ceiling', dollars(run.maxCostUsd)],
      ['spent', dollars(run.spentUsd)],
      ['held', dollars(run.heldUsd)],
      ['ended', run.endedAt ?? `not before it expired, ${run.expiresAt}`],
    ]),
});

export const runs: readonly Operation[] = [list, end];
