import type { Health, Job } from '@model-gateway/server/operations/documents';
import { useLocation } from 'preact-iso';
import { useJob } from '../../data/jobs.ts';
import { useRead } from '../../data/read.ts';
import { withQuery } from '../../data/with-query.ts';
import { DataTable, type Head } from '../../parts/data-table.tsx';
import { JobProgress } from '../../parts/job-progress.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Shown } from '../../parts/shown.tsx';
import { Count, When } from '../../parts/values.tsx';

type Replica = Health['replicas'][number];
type Platform = Health['platforms'][number];
type Circuit = Health['circuits'][number];

const replicas: readonly Head<Replica>[] = [
  { head: 'Process', cell: ({ id, isThis }) => `${id}${isThis ? ' (this one)' : ''}` },
  { head: 'Configuration', cell: ({ config }) => config ?? '–' },
  { head: 'Seen', cell: ({ seenAt }) => <When at={seenAt} /> },
];
const platforms: readonly Head<Platform>[] = [
  { head: 'Platform', cell: ({ name }) => name },
  {
    head: 'State',
    cell: ({ state, problem }) => (problem === null ? state : `${state}: ${problem}`),
  },
  { head: 'Retries', isNumber: true, cell: ({ retries }) => <Count of={retries} /> },
  { head: 'Retries denied', isNumber: true, cell: ({ retriesDenied: of }) => <Count of={of} /> },
  { head: 'Circuits opened', isNumber: true, cell: ({ circuitsOpened: of }) => <Count of={of} /> },
  { head: 'Refused', isNumber: true, cell: ({ attemptsRefused: of }) => <Count of={of} /> },
];
const circuits: readonly Head<Circuit>[] = [
  { head: 'Model', cell: ({ model, platform }) => `${model} on ${platform}` },
  {
    head: 'Circuit',
    cell: ({ state }) => (state === 'closed' ? 'OK: closed' : `Problem: ${state}`),
  },
  { head: 'Since', cell: ({ since }) => <When at={since} /> },
];

export function HealthView() {
  return (
    <>
      <PageHead title="Health" />
      <Shown of={useRead<Health>('/health')}>
        {(health) => (
          <>
            <Problems problems={health.problems} />
            <StoreFacts health={health} />
            <section>
              <h2>Replicas</h2>
              <DataTable
                caption="Replicas"
                heads={replicas}
                rows={health.replicas}
                keyOf={({ id }) => id}
                empty="No replica. Each process that serves calls is here once it has reported."
              />
            </section>
            <section>
              <h2>Platforms</h2>
              <DataTable
                caption="Platforms"
                heads={platforms}
                rows={health.platforms}
                keyOf={({ name }) => name}
                empty="No platform. Name one in the configuration file, under platforms."
              />
            </section>
            <section>
              <h2>Circuits of this process</h2>
              <DataTable
                caption="Circuits"
                heads={circuits}
                rows={health.circuits}
                keyOf={({ model, platform }) => `${model} ${platform}`}
                empty="None yet: a model's circuit is here after its first call, and opens when it fails too often."
              />
            </section>
          </>
        )}
      </Shown>
      <AuditJob />
    </>
  );
}

function Problems({ problems }: Pick<Health, 'problems'>) {
  if (problems.length === 0)
    return <p class="ok">OK: nothing is wrong that this process can see.</p>;
  return (
    <ul class="problems">
      {problems.map(({ kind, text, href }) => (
        <li key={text} class="problem">
          Problem with {kind}: <a href={href}>{text}</a>
        </li>
      ))}
    </ul>
  );
}

function StoreFacts({ health }: { readonly health: Health }) {
  const { store, load, version, instanceId } = health;
  return (
    <section>
      <h2>Store and load</h2>
      <dl class="facts">
        <dt>Version</dt>
        <dd>
          {version}, process {instanceId}
        </dd>
        <dt>Store</dt>
        <dd>
          {store.kind}, answers in {store.answerMs} ms, clock {store.clockSkewMs} ms apart
        </dd>
        <dt>Open holds</dt>
        <dd>
          <Count of={store.openHolds} />
        </dd>
        <dt>Sums of reports reach</dt>
        <dd>
          <When at={store.sumsUntil} />
        </dd>
        <dt>Now</dt>
        <dd>
          {load.requests} requests, {load.runningCalls} calls, {load.streams} streams
        </dd>
        <dd>{load.drains} that finish without their caller</dd>
        <dt>More</dt>
        <dd>
          <a href="/metrics" target="_blank" rel="noreferrer">
            metrics
          </a>
          ,{' '}
          <a href="/ready" target="_blank" rel="noreferrer">
            ready
          </a>
        </dd>
      </dl>
    </section>
  );
}

interface Rule {
  readonly id: string;
  readonly rule: string;
  readonly ok: boolean;
  readonly figure: number;
}

const columns: readonly Head<Rule>[] = [
  { head: 'Rule', cell: ({ id }) => id },
  { head: 'What must hold', cell: ({ rule }) => rule },
  { head: 'Holds', cell: ({ ok }) => (ok ? 'OK' : 'Problem') },
  { head: 'Breaches', isNumber: true, cell: ({ figure }) => figure },
];

function AuditJob() {
  const { query, path, route } = useLocation();
  const running = useJob(query.audit, (audit) => route(withQuery(path, { ...query, audit }), true));
  const { job } = running;
  return (
    <section>
      <h2>Audit</h2>
      <JobProgress running={running} label="Audit the ledger" asked={{ kind: 'audit' }} />
      {job?.state === 'done' && (
        <>
          <p>
            Ended <When at={job.endedAt} />
          </p>
          <DataTable
            caption="Rules of the ledger"
            heads={columns}
            rows={rulesOf(job)}
            keyOf={({ id }) => id}
            empty="The audit returned no rule. Start it again."
          />
        </>
      )}
      {query.audit === undefined && (
        <p class="empty">Each rule of the ledger, and whether it holds, once an audit was made.</p>
      )}
    </section>
  );
}

function rulesOf({ result }: Job): readonly Rule[] {
  if (typeof result !== 'object' || result === null || !('checks' in result)) return [];
  const { checks } = result;
  return Array.isArray(checks) ? checks.filter(isRule) : [];
}

function isRule(value: unknown): value is Rule {
  return typeof value === 'object' && value !== null && 'id' in value && 'rule' in value;
}
