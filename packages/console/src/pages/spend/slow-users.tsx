import type { Job, Spend } from '@model-gateway/server/operations/documents';
import { useLocation } from 'preact-iso';
import { useJob } from '../../data/jobs.ts';
import { withQuery } from '../../data/with-query.ts';
import { JobProgress } from '../../parts/job-progress.tsx';
import { type Asked, shownUsers } from './asked.ts';
import { SpendTable } from './table.tsx';

type Table = Pick<Spend, 'rows' | 'total' | 'found' | 'by'>;

/** No sums exist for these days: adding up single calls takes time. */
export function SlowUsers({ asked }: { readonly asked: Asked }) {
  const { query, path, route } = useLocation();
  const running = useJob(query.users, (users) => route(withQuery(path, { ...query, users }), true));
  const { from, to, app, model } = asked;
  const table = running.job?.state === 'done' ? tableOf(running.job) : undefined;
  return (
    <section>
      <p>
        Users are summed by whole months and all models. Of other days, or of one model, their calls
        are added up one by one.
      </p>
      <JobProgress
        running={running}
        label="Add up the calls of users"
        asked={{
          ...{ kind: 'report', from, to, by: ['app', 'user'], top: shownUsers },
          ...(app !== '' && { apps: [app] }),
          ...(model !== '' && { model }),
        }}
      />
      {table !== undefined && <SpendTable spend={table} asked={asked} />}
    </section>
  );
}

function tableOf({ result }: Job): Table | undefined {
  return isTable(result) ? result : undefined;
}

function isTable(value: unknown): value is Table {
  return typeof value === 'object' && value !== null && 'rows' in value && 'found' in value;
}
