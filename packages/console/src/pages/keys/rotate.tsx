import type {
  KeyChanged,
  KeyInUse,
  KeyIssued,
  KeysPage,
} from '@model-gateway/server/operations/documents';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { useRead } from '../../data/read.ts';
import { withQuery } from '../../data/with-query.ts';
import { Badge } from '../../parts/badge.tsx';
import { Card } from '../../parts/card.tsx';
import { ChangeDialog } from '../../parts/change-dialog.tsx';
import type { Column } from '../../parts/column.ts';
import { PageHead } from '../../parts/page-head.tsx';
import { Shown } from '../../parts/shown.tsx';
import { Empty } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { Usd } from '../../parts/values.tsx';
import { ShownOnce } from './issue-key.tsx';
import { callsCell, LastUsed } from './key-columns.tsx';

const pollMs = 5_000;
const silentMs = 3_600_000;

/** Three steps, without a failed call. */
export function RotateKey() {
  const { id = '' } = useRoute().params;
  const read = useRead<KeysPage>(withQuery('/keys', { key: id, limit: '500' }));
  useEffect(() => {
    const timer = setInterval(() => read.again(), pollMs);
    return () => clearInterval(timer);
  }, [read.again]);
  return (
    <>
      <PageHead
        title={`Rotate key ${id}`}
        note="Both keys work until you disable the old key or it expires"
        crumbs={<a href="/console/keys">Keys</a>}
      />
      <Shown of={read}>
        {({ items }) => {
          const old = items.find((key) => key.id === id);
          if (old === undefined) return <NoKey id={id} />;
          const next = items.find((key) => key.id === old.replacedBy);
          return <Steps old={old} next={next} again={read.again} />;
        }}
      </Shown>
    </>
  );
}

function NoKey({ id }: { readonly id: string }) {
  return (
    <Card title="Rotation" isFlush>
      <Empty icon="key" title={`No key ${id}`}>
        <p class="note">
          The key does not exist, or your role cannot view it. See <a href="/console/keys">Keys</a>.
        </p>
      </Empty>
    </Card>
  );
}

interface StepsProps {
  readonly old: KeyInUse;
  readonly next: KeyInUse | undefined;
  readonly again: () => void;
}

function Steps({ old, next, again }: StepsProps) {
  const usedMs = old.lastUsedAt === null ? 0 : Date.parse(old.lastUsedAt);
  const isSilent = Date.now() - usedMs > silentMs;
  return (
    <div class="stack">
      <Card title="1. Issue the new key" aside={<Progress isDone={next !== undefined} />}>
        <FirstStep old={old} next={next} again={again} />
      </Card>
      <Card
        title="2. Check usage of both keys"
        isFlush
        aside={<span class="note">Updates every 5 s</span>}
      >
        <Counters of={[old, ...(next === undefined ? [] : [next])]} />
      </Card>
      <Card title="3. Disable the old key" aside={<Progress isDone={!old.enabled} />}>
        {old.enabled ? (
          <LastStep old={old} next={next} isSilent={isSilent} again={again} />
        ) : (
          <p>The old key is disabled.</p>
        )}
      </Card>
    </div>
  );
}

function Progress({ isDone }: { readonly isDone: boolean }) {
  return isDone ? <Badge tone="good">Done</Badge> : <Badge tone="plain">Open</Badge>;
}

function FirstStep({ old, next, again }: StepsProps) {
  // Its dialog shows the only copy of the secret: it stays until a person closes it.
  const [isShown, setShown] = useState(false);
  if (next !== undefined && !isShown) {
    return (
      <Step>
        The new key is <code>{next.id}</code>. Switch your service to it.
      </Step>
    );
  }
  return (
    <Step
      action={
        <ChangeDialog<KeyIssued>
          label="Issue new key"
          title={`Issue the replacement for ${old.id}`}
          verb="Issue key"
          operation="keys rotate"
          given={{ id: old.id }}
          formFields={{
            graceMinutes: {
              label: 'Grace period of the old key, in minutes',
              hint: 'Empty keeps it valid until you disable it',
            },
          }}
          done={(changed) => <ShownOnce issued={changed} />}
          onChanged={() => {
            setShown(true);
            again();
          }}
          onClose={() => setShown(false)}
        />
      }
    >
      The new key gets the app, budgets and models of the old key.
    </Step>
  );
}

interface StepProps {
  readonly action?: ComponentChildren;
  readonly children: ComponentChildren;
}

function Step({ action, children }: StepProps) {
  return (
    <div class="row">
      <p>{children}</p>
      {action}
    </div>
  );
}

type Counted = KeyInUse & { readonly age: string };

const counters: readonly Column<Counted>[] = [
  {
    ...{ id: 'key', head: 'Key', narrow: 1 },
    cell: ({ id, age }) => (
      <>
        {age} <code>{id}</code>
      </>
    ),
  },
  {
    ...{ id: 'used', head: 'Last used (UTC)', narrow: 3 },
    cell: ({ lastUsedAt }) => <LastUsed at={lastUsedAt} />,
  },
  {
    id: 'calls',
    head: 'Calls today',
    isNumber: true,
    narrow: 4,
    cell: callsCell,
  },
  {
    ...{ id: 'spent', head: 'Spent today', isNumber: true, narrow: 2 },
    cell: ({ spentTodayUsd }) => <Usd of={spentTodayUsd} />,
  },
];

function Counters({ of }: { readonly of: readonly KeyInUse[] }) {
  return (
    <Table
      caption="Usage of both keys"
      columns={counters}
      rows={of.map((key, index) => ({ ...key, age: index === 0 ? 'old' : 'new' }))}
      keyOf={({ id }) => id}
      empty={null}
    />
  );
}

function LastStep({ old, next, isSilent, again }: StepsProps & { readonly isSilent: boolean }) {
  return (
    <Step
      action={
        <ChangeDialog<KeyChanged>
          label="Disable old key"
          title={`Disable key ${old.id}`}
          confirm={isSilent && next !== undefined ? undefined : old.app}
          verb="Disable key"
          operation="keys disable"
          given={{ id: old.id }}
          onChanged={again}
        />
      }
    >
      {isSilent
        ? 'The old key was not used in the last hour.'
        : 'The old key was used in the last hour. If you disable it, these calls fail.'}
      {next === undefined && ' No new key exists yet.'}
    </Step>
  );
}
