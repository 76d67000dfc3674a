import type { Health } from '@model-gateway/server/operations/documents';
import { useRead } from '../../data/read.ts';
import { Badge } from '../../parts/badge.tsx';
import { Card, Grid } from '../../parts/card.tsx';
import type { Column } from '../../parts/column.ts';
import { Icon } from '../../parts/icon.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Shown } from '../../parts/shown.tsx';
import { Stat, Stats } from '../../parts/stat.tsx';
import { Alert, Empty } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { Count, Duration, Name, ShortCount, When } from '../../parts/values.tsx';
import { AuditCard } from './audit.tsx';
import { KeylessCard } from './keyless.tsx';
import { Circuits, Platforms } from './platforms.tsx';

export function HealthView() {
  return (
    <>
      <PageHead title="Health" note="State of the gateway, its platforms and its store" />
      <Shown of={useRead<Health>('/health', 'overview')} rows={12}>
        {(health) => (
          <>
            <Answer health={health} />
            <HealthStats health={health} />
            {health.problems.length > 0 && <Problems problems={health.problems} />}
            <Grid>
              <Platforms platforms={health.platforms} />
              <Circuits circuits={health.circuits} />
              <Replicas replicas={health.replicas} />
              <StoreFacts health={health} />
              <KeylessCard of={health.keyless} />
            </Grid>
          </>
        )}
      </Shown>
      <AuditCard />
    </>
  );
}

interface HealthProps {
  readonly health: Health;
}

/** The page in one sentence. */
function Answer({ health: { problems, replicas, platforms } }: HealthProps) {
  if (problems.length > 0) {
    return (
      <Alert tone="bad" isLasting={true}>
        <b>{countOf(problems.length, 'problem')}.</b>
      </Alert>
    );
  }
  const parts = [
    'Store',
    countOf(replicas.length, 'replica'),
    countOf(platforms.length, 'platform'),
  ];
  return (
    <Alert tone="good">
      <span>
        <b>No problems.</b> {parts[0]}, {parts[1]} and {parts[2]} are healthy.
      </span>
    </Alert>
  );
}

function countOf(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}

function HealthStats({ health: { store, load, circuits, replicas, keyless } }: HealthProps) {
  const open = circuits.filter(({ state }) => state !== 'closed').length;
  const rejected = keyless.reduce((sum, { count }) => sum + count, 0);
  return (
    <Stats>
      <Stat
        label="Running calls"
        figure={<Count of={load.runningCalls} />}
        note={`${countOf(load.requests, 'request')}, ${countOf(load.streams, 'stream')}`}
        href="/console/calls"
      />
      <Stat
        label="Open circuits"
        figure={<Count of={open} />}
        note={`of ${circuits.length} in this process`}
      />
      <Stat label="Replicas" figure={<Count of={replicas.length} />} note="seen recently" />
      <Stat
        label="Store response time"
        figure={<Duration ms={store.answerMs} />}
        note={`${store.kind}, clock skew ${Math.round(store.clockSkewMs)} ms`}
      />
      <Stat
        label="Missing or invalid keys"
        figure={<ShortCount of={rejected} />}
        note="last 24 hours"
        href="#keyless"
      />
    </Stats>
  );
}

function Problems({ problems }: Pick<Health, 'problems'>) {
  return (
    <div class="below">
      <Card title="Needs attention" isFlush={true}>
        <ul class="list">
          {problems.map(({ kind, text, href }) => (
            <li key={text}>
              <span class="mark bad">
                <Icon of="warning" />
              </span>
              <div>
                <h3>
                  <a href={href}>{text}</a>
                </h3>
                <p>{kind}</p>
              </div>
            </li>
          ))}
        </ul>
      </Card>
    </div>
  );
}

type Replica = Health['replicas'][number];

const replicaColumns: readonly Column<Replica>[] = [
  {
    ...{ id: 'id', head: 'Process', narrow: 1 },
    cell: ({ id, isThis }) => (
      <>
        <Name of={id} /> {isThis && <Badge tone="accent">this process</Badge>}
      </>
    ),
  },
  {
    ...{ id: 'config', head: 'Configuration', narrow: 3 },
    cell: ({ config }) => <Name of={config} />,
  },
  { id: 'seen', head: 'Last seen', narrow: 4, cell: ({ seenAt }) => <When at={seenAt} /> },
];

function Replicas({ replicas }: Pick<Health, 'replicas'>) {
  return (
    <Card title="Replicas" isFlush={true}>
      <Table
        caption="Gateway processes"
        columns={replicaColumns}
        rows={replicas}
        keyOf={({ id }) => id}
        empty={
          <Empty icon="activity" title="No replicas yet">
            <p>Each gateway process appears here after its first heartbeat.</p>
          </Empty>
        }
      />
    </Card>
  );
}

function StoreFacts({ health: { store, load, version, instanceId } }: HealthProps) {
  return (
    <Card title="Store and load">
      <dl class="facts">
        <dt>Version</dt>
        <dd>{version}</dd>
        <dt>This process</dt>
        <dd>
          <Name of={instanceId} />
        </dd>
        <dt>Open reservations</dt>
        <dd>
          <Count of={store.openHolds} />
        </dd>
        <dt>Report rollups up to</dt>
        <dd>
          <When at={store.rollupsUntil} />
        </dd>
        <dt>Detached calls (caller disconnected)</dt>
        <dd>
          <Count of={load.detachedCalls} />
        </dd>
        <dt>Queued ledger operations</dt>
        <dd>
          <Count of={load.queue} />
        </dd>
        <dt>Monitoring endpoints</dt>
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
    </Card>
  );
}
