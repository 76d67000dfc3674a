import type { KeyChanged, KeyInUse, KeysPage } from '@model-gateway/server/operations/documents';
import { useRead } from '../../data/read.ts';
import { useMay, useWho } from '../../data/who.ts';
import { withQuery } from '../../data/with-query.ts';
import { ChangeDialog } from '../../parts/change-dialog.tsx';
import { DataTable, type Head } from '../../parts/data-table.tsx';
import { Long } from '../../parts/long.tsx';
import { Shown } from '../../parts/shown.tsx';
import { Count, Usd, When } from '../../parts/values.tsx';

interface TableProps {
  readonly path: string;
  /** Undefined for the keys of all apps. */
  readonly app?: string;
  readonly wanted?: (key: KeyInUse) => boolean;
}

export function KeyTable({ path, app, wanted = () => true }: TableProps) {
  const read = useRead<KeysPage>(path);
  const mayKeys = useMay('keys');
  const columns: readonly Head<KeyInUse>[] = [
    {
      head: 'Key',
      cell: ({ id }) => <a href={withQuery('/console/calls', { key: id })}>{id}</a>,
    },
    ...(app === undefined ? [{ head: 'App', cell: appOf }] : []),
    { head: 'For', cell: ({ customerId, note }) => [customerId, note].filter(Boolean).join(' · ') },
    { head: 'Role', cell: ({ role }) => role ?? '–' },
    { head: 'State', cell: stateOf },
    { head: 'Made', cell: ({ createdAt }) => <When at={createdAt} /> },
    { head: 'Last used', cell: ({ lastUsedAt }) => <When at={lastUsedAt} /> },
    { head: 'Calls today', isNumber: true, cell: callsOf },
    {
      head: 'Spent today',
      isNumber: true,
      cell: ({ spentTodayUsd }) => <Usd of={spentTodayUsd} />,
    },
    { head: 'Change', cell: (key) => mayKeys && <KeyActions of={key} again={read.again} /> },
  ];
  return (
    <section>
      <h2>Keys</h2>
      <Shown of={read}>
        {({ items }) => (
          <DataTable
            caption="Keys"
            heads={columns}
            rows={items.filter(wanted)}
            keyOf={({ id }) => id}
            empty="No key. One that is issued is here, and its first call a minute after it was made."
          />
        )}
      </Shown>
    </section>
  );
}

function appOf({ app }: KeyInUse) {
  if (app === undefined) return '–';
  return (
    <Long>
      <a href={`/console/apps/${encodeURIComponent(app)}`}>{app}</a>
    </Long>
  );
}

function stateOf({ enabled, expiresAt, rotatedFrom, disabledBy, disabledRole }: KeyInUse) {
  return (
    <Long>
      {enabled ? 'works' : 'disabled'}
      {disabledBy !== undefined && ` by ${disabledBy} (${disabledRole})`}
      {expiresAt !== undefined && (
        <>
          {' '}
          until <When at={expiresAt} />
        </>
      )}
      {rotatedFrom !== undefined && `, after ${rotatedFrom}`}
    </Long>
  );
}

function callsOf({ callsToday }: KeyInUse) {
  return callsToday === null ? 'many' : <Count of={callsToday} />;
}

export function KeyActions({ of, again }: { readonly of: KeyInUse; readonly again: () => void }) {
  const { id, enabled, app, disabledRole } = of;
  const mayEnable = useWho()?.role === 'operator' || disabledRole === 'team';
  return (
    <div class="actions">
      {enabled && (
        <a
          class="button"
          href={`/console/keys/${encodeURIComponent(id)}/rotate`}
          aria-label={`Rotate key ${id}`}
        >
          Rotate…
        </a>
      )}
      {enabled ? (
        <ChangeDialog<KeyChanged>
          label="Disable"
          title={`Disable key ${id}`}
          confirm={app}
          verb="Disable the key"
          operation="keys disable"
          given={{ id }}
          onChanged={again}
        />
      ) : mayEnable ? (
        <ChangeDialog<KeyChanged>
          label="Enable"
          title={`Enable key ${id}`}
          verb="Enable the key"
          operation="keys enable"
          given={{ id }}
          onChanged={again}
        />
      ) : (
        'Only an operator can enable it'
      )}
    </div>
  );
}
