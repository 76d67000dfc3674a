import type { RunDocument, RunEnded } from '@model-gateway/server/operations/documents';
import { ChangeDialog } from '../../parts/change-dialog.tsx';
import { DataTable, type Head } from '../../parts/data-table.tsx';
import { Usd, When } from '../../parts/values.tsx';
import { useMay } from '../../shell/who.ts';

interface RunsProps {
  readonly runs: readonly RunDocument[];
  readonly again: () => void;
}

export function RunTable({ runs, again }: RunsProps) {
  const mayOperate = useMay('operate');
  const columns: readonly Head<RunDocument>[] = [
    { head: 'Run', cell: ({ id, label }) => label ?? id },
    { head: 'User', cell: ({ userId }) => userId ?? '–' },
    { head: 'Cap', isNumber: true, cell: ({ maxCostUsd }) => <Usd of={maxCostUsd} /> },
    { head: 'Spent', isNumber: true, cell: ({ spentUsd }) => <Usd of={spentUsd} /> },
    { head: 'Held', isNumber: true, cell: ({ heldUsd }) => <Usd of={heldUsd} /> },
    { head: 'Left', isNumber: true, cell: ({ remainingUsd }) => <Usd of={remainingUsd} /> },
    { head: 'Until', cell: ({ expiresAt }) => <When at={expiresAt} /> },
    {
      head: 'End',
      cell: ({ id }) =>
        mayOperate && (
          <ChangeDialog<RunEnded>
            label="End"
            title={`End run ${id}`}
            verb="End the run"
            operation="runs end"
            given={{ id }}
            onChanged={again}
          />
        ),
    },
  ];
  return (
    <section>
      <h2>Open runs</h2>
      <DataTable
        caption="Open runs"
        heads={columns}
        rows={runs}
        keyOf={({ id }) => id}
        empty="No run is open. One that the app begins (POST /v1/runs) is here with what is left of it."
      />
    </section>
  );
}
