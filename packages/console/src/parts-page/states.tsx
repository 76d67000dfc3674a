import type { Job } from '@model-gateway/server/operations/documents';
import { Card } from '../parts/card.tsx';
import { JobProgress } from '../parts/job-progress.tsx';
import { Shown } from '../parts/shown.tsx';
import { Alert, Empty, Skeleton } from '../parts/states.tsx';

const nothing = async () => undefined;
const job: Job = {
  ...{ id: 'job_1', kind: 'audit', state: 'running', position: null, percent: 40 },
  ...{ text: 'reservations of Nov 22', fileName: null, error: null, startedAt: null },
  endedAt: null,
};
const failure = {
  ...{ status: 503, code: 'STORE_AWAY' },
  message: 'The store did not answer within 5 s. Calls continue.',
};
const read = { isStale: true, isPending: false, at: 0, etag: undefined, again: () => undefined };

export function States() {
  return (
    <>
      <Card title="Empty" span={6} isFlush={true}>
        <Empty icon="search" title="No calls match these filters">
          <p>Older calls were not searched.</p>
          <div class="row">
            <button type="button">Clear filters</button>
          </div>
        </Empty>
      </Card>
      <Card title="Loading" span={6} isFlush={true}>
        <Skeleton rows={6} />
      </Card>
      <Card title="Alerts and failures" span={6}>
        <Alert tone="good">Live again since 14:44:52 UTC.</Alert>
        <Alert
          tone="warn"
          actions={
            <button type="button" class="small">
              Read now
            </button>
          }
        >
          Not live. Figures are of 14:41:07 UTC.
        </Alert>
        <Shown of={{ ...read, data: 'old', failure }}>
          {() => <p>The last response stays visible.</p>}
        </Shown>
      </Card>
      <Card title="Jobs" span={6}>
        <JobProgress
          running={{ job, failure: undefined, start: nothing, end: nothing }}
          label="Audit"
          request={{ kind: 'audit' }}
        />
        <JobProgress
          running={{ job: undefined, failure, start: nothing, end: nothing }}
          label="Audit the ledger"
          request={{ kind: 'audit' }}
        />
      </Card>
    </>
  );
}
