import type {
  AppPage,
  HoldsPage,
  Refusal,
  RunDocument,
  RunEnded,
} from '@model-gateway/server/operations/documents';
import { useRoute } from 'preact-iso';
import { useRead } from '../../data/read.ts';
import { useMay } from '../../data/who.ts';
import { withQuery } from '../../data/with-query.ts';
import { ChangeDialog } from '../../parts/change-dialog.tsx';
import { DataTable, type Head } from '../../parts/data-table.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Shown } from '../../parts/shown.tsx';
import { Count, Usd, When } from '../../parts/values.tsx';
import { AuditLines } from '../activity/activity-lines.tsx';
import { KeyTable } from '../keys/key-table.tsx';
import { AppActions } from './actions.tsx';
import { AppBudget } from './budget.tsx';
import { AppCharts } from './charts.tsx';
import { Holds } from './holds.tsx';
import { AppProjects } from './projects.tsx';
import { AppSettings } from './settings.tsx';
import { FindWallet } from './wallet.tsx';

export function AppView() {
  const { app = '' } = useRoute().params;
  const path = `/apps/${encodeURIComponent(app)}`;
  const page = useRead<AppPage>(path);
  const holds = useRead<HoldsPage>(`${path}/holds`);
  const again = () => {
    page.again();
    holds.again();
  };
  return (
    <>
      <PageHead title={app} note={page.data?.settings.enabled === false ? 'Disabled' : 'App'} />
      <Shown of={page}>
        {(shown) => (
          <>
            <AppActions page={shown} etag={page.etag} again={again} />
            <AppBudget page={shown} />
            <Holds holds={holds} />
            <AppCharts page={shown} />
            <Refusals refusals={shown.refusals} />
            <KeyTable path={`${path}/keys`} app={app} />
            <AppSettings page={shown} />
            {shown.settings.credits !== null && <FindWallet app={app} />}
            <AppProjects page={shown} again={again} />
            <RunTable runs={shown.runs} again={again} />
          </>
        )}
      </Shown>
      <section>
        <h2>Activity</h2>
        <AuditLines asked={{ subject: app }} />
      </section>
    </>
  );
}

const columns: readonly Head<Refusal>[] = [
  { head: 'Hour', cell: ({ at }) => <When at={at} /> },
  {
    head: 'Code',
    cell: ({ app, code }) => <a href={withQuery('/console/calls', { app, code })}>{code}</a>,
  },
  { head: 'Refused', isNumber: true, cell: ({ count }) => <Count of={count} /> },
  { head: 'Last told', cell: ({ lastMessage }) => lastMessage },
  { head: 'Last request', cell: ({ lastRequestId }) => lastRequestId ?? '–' },
];

function Refusals({ refusals }: { readonly refusals: readonly Refusal[] }) {
  return (
    <section>
      <h2>Refused in the last 24 hours</h2>
      <DataTable
        caption="Refusals"
        heads={columns}
        rows={refusals}
        keyOf={({ at, code }) => `${at} ${code}`}
        empty="Nothing was refused. A request that a budget, a plan or a list refuses is counted here."
      />
    </section>
  );
}

interface RunsProps {
  readonly runs: readonly RunDocument[];
  readonly again: () => void;
}

function RunTable({ runs, again }: RunsProps) {
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
