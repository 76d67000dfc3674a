import type { Job } from '@model-gateway/server/operations/documents';
import { useLocation } from 'preact-iso';
import { useJob } from '../../data/jobs.ts';
import { withQuery } from '../../data/with-query.ts';
import { Card } from '../../parts/card.tsx';
import { JobProgress } from '../../parts/job-progress.tsx';
import type { SpendRows } from './lines.ts';
import type { Series } from './series.ts';
import { type SpendQuery, shownUsers } from './spend-query.ts';
import { SpendTable } from './table.tsx';

interface SlowProps {
  readonly spendQuery: SpendQuery;
  readonly series: Series;
}

/** These days have no rollups: adding up single calls takes time. */
export function SlowUsers({ spendQuery, series }: SlowProps) {
  const { query, path, route } = useLocation();
  const running = useJob(query.users, (users) => route(withQuery(path, { ...query, users }), true));
  const { from, to, app, model } = spendQuery;
  const table = running.job?.state === 'done' ? tableOf(running.job) : undefined;
  return (
    <>
      <Card title="By user">
        <p class="note">
          Totals by user exist for whole months and all models. Any other selection adds up single
          calls, which takes longer. You can leave this page; its address keeps the result.
        </p>
        <JobProgress
          running={running}
          label="Compute totals by user"
          request={{
            ...{ kind: 'report', from, to, by: ['app', 'user'], top: shownUsers },
            ...(app !== '' && { apps: [app] }),
            ...(model !== '' && { model }),
          }}
        />
      </Card>
      {table !== undefined && <SpendTable spend={table} spendQuery={spendQuery} series={series} />}
    </>
  );
}

function tableOf({ result }: Job): SpendRows | undefined {
  return isTable(result) ? result : undefined;
}

function isTable(value: unknown): value is SpendRows {
  return typeof value === 'object' && value !== null && 'rows' in value && 'found' in value;
}
