import type {
  KeyChanged,
  KeyInUse,
  KeyIssued,
  KeysPage,
} from '@model-gateway/server/operations/documents';
import { useEffect, useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { useRead } from '../../data/read.ts';
import { ChangeDialog } from '../../parts/change-dialog.tsx';
import { DataTable, type Head } from '../../parts/data-table.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Shown } from '../../parts/shown.tsx';
import { Count, When } from '../../parts/values.tsx';
import { ShownOnce } from './issue-key.tsx';

const lookMs = 5_000;
const silentMs = 3_600_000;

/** In three steps, without a failed call. */
export function RotateKey() {
  const { id = '' } = useRoute().params;
  const read = useRead<KeysPage>('/keys');
  useEffect(() => {
    const timer = setInterval(() => read.again(), lookMs);
    return () => clearInterval(timer);
  }, [read.again]);
  return (
    <>
      <PageHead title={`Rotate key ${id}`} note="Both keys work until the old one is disabled" />
      <Shown of={read}>
        {({ items }) => {
          const old = items.find((key) => key.id === id);
          if (old === undefined) return <NoKey id={id} />;
          return <Steps old={old} next={nextOf(old, items)} again={read.again} />;
        }}
      </Shown>
    </>
  );
}

function NoKey({ id }: { readonly id: string }) {
  return (
    <p class="empty">
      No key {id} is visible to you. <a href="/console/keys">Keys</a> lists the keys that are.
    </p>
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
  // Its dialog shows the only copy of the secret: it stays until a person has closed it.
  const [isShown, setShown] = useState(false);
  return (
    <ol class="steps">
      <li>
        <h2>Issue the new key</h2>
        {next === undefined || isShown ? (
          <ChangeDialog<KeyIssued>
            label="Issue the new key"
            title={`Issue the key after ${old.id}`}
            verb="Issue the key"
            operation="keys rotate"
            given={{ id: old.id }}
            asks={{
              graceMinutes: {
                label: 'Minutes that the old key still works',
                hint: 'Nothing for until it is disabled',
              },
            }}
            done={(changed) => <ShownOnce issued={changed} />}
            onChanged={() => {
              setShown(true);
              again();
            }}
            onClose={() => setShown(false)}
          />
        ) : (
          <p>
            Done: <code>{next.id}</code>. Give it to those who call.
          </p>
        )}
      </li>
      <li>
        <h2>Watch both</h2>
        <Counters of={[old, ...(next === undefined ? [] : [next])]} />
      </li>
      <li>
        <h2>Disable the old key</h2>
        {old.enabled ? (
          <LastStep old={old} next={next} isSilent={isSilent} again={again} />
        ) : (
          <p>Done.</p>
        )}
      </li>
    </ol>
  );
}

const counters: readonly Head<KeyInUse & { readonly age: string }>[] = [
  {
    head: 'Key',
    cell: ({ id, age }) => (
      <>
        {age} <code>{id}</code>
      </>
    ),
  },
  {
    ...{ head: 'Calls today', isNumber: true },
    cell: ({ callsToday }) => (callsToday === null ? 'many' : <Count of={callsToday} />),
  },
  { head: 'Last used', cell: ({ lastUsedAt }) => <When at={lastUsedAt} /> },
];

function Counters({ of }: { readonly of: readonly KeyInUse[] }) {
  return (
    <DataTable
      caption="Calls of both keys"
      heads={counters}
      rows={of.map((key, index) => ({ ...key, age: index === 0 ? 'old' : 'new' }))}
      keyOf={({ id }) => id}
      empty=""
    />
  );
}

function LastStep({ old, next, isSilent, again }: StepsProps & { readonly isSilent: boolean }) {
  return (
    <>
      <p>
        {isSilent
          ? 'The old key was silent for an hour.'
          : 'The old key was used within the last hour: calls with it would fail.'}
        {next === undefined && ' There is no new key yet.'}
      </p>
      <ChangeDialog<KeyChanged>
        label="Disable the old key"
        title={`Disable key ${old.id}`}
        confirm={isSilent && next !== undefined ? undefined : old.app}
        verb="Disable the key"
        operation="keys disable"
        given={{ id: old.id }}
        onChanged={again}
      />
    </>
  );
}

export function nextOf(old: KeyInUse, keys: readonly KeyInUse[]): KeyInUse | undefined {
  const line = old.rotatedFrom ?? old.id;
  const later = keys.filter(
    ({ id, rotatedFrom, createdAt }) =>
      id !== old.id && rotatedFrom === line && createdAt >= old.createdAt,
  );
  return later.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt))[0];
}
