import type { KeyInUse, ListedKey } from '@model-gateway/server/operations/documents';
import { withQuery } from '../../data/with-query.ts';
import type { Column } from '../../parts/column.ts';
import { Count, Day, Name, Usd, When } from '../../parts/values.tsx';
import { KeyMenu } from './key-menu.tsx';
import { KeyState } from './key-state.tsx';

export function keyColumns(
  app: string | undefined,
  again: () => void,
): readonly Column<ListedKey>[] {
  return [
    { id: 'key', head: 'Key', cell: keyCell, isSortable: true, narrow: 1 },
    ...(app === undefined ? [appColumn] : []),
    {
      ...{ id: 'state', head: 'State', isSortable: true, narrow: 5 },
      cell: (key) => <KeyState of={key} />,
    },
    { id: 'contact', head: 'Contact', cell: holderCell, isSortable: true, isFill: true },
    {
      ...{ id: 'role', head: 'Role', isExtra: true },
      cell: ({ role }) => role ?? 'none (calls are rejected)',
    },
    {
      ...{ id: 'created', head: 'Created', isSortable: true, isExtra: true },
      cell: ({ createdAt }) => <Day of={createdAt.slice(0, 10)} />,
    },
    {
      ...{ id: 'used', head: 'Last used (UTC)', isSortable: true },
      cell: ({ lastUsedAt }) => <LastUsed at={lastUsedAt} />,
    },
    {
      ...{ id: 'budget', head: 'Daily budget', isSortable: true, isExtra: true, isNumber: true },
      cell: ({ dailyUsd }) => <Usd of={dailyUsd} />,
    },
    {
      ...{ id: 'calls', head: 'Calls today', isSortable: true, isNumber: true, narrow: 4 },
      cell: callsCell,
    },
    {
      ...{ id: 'spent', head: 'Spent today', isSortable: true, isNumber: true, narrow: 2 },
      cell: ({ id, spentTodayUsd }) => (
        <a class="go" href={callsToday(id, 'cost')}>
          <Usd of={spentTodayUsd} />
        </a>
      ),
    },
    {
      ...{ id: 'actions', head: 'Actions', narrow: 6 },
      cell: (key) => <KeyMenu of={key} again={again} />,
    },
  ];
}

function keyCell({ id, note = '', createdAt, state }: ListedKey) {
  return (
    <>
      <a
        class="go"
        href={withQuery('/console/calls', { key: id })}
        title={`Created ${createdAt.slice(0, 10)}; open its calls`}
      >
        {state === 'replaced' && <span aria-hidden="true">↳ </span>}
        <code>{id}</code>
      </a>
      <span class="cut note" title={note}>
        {note}
      </span>
    </>
  );
}

const appColumn: Column<ListedKey> = {
  ...{ id: 'app', head: 'App', isSortable: true, narrow: 3 },
  cell: ({ app }) =>
    app === undefined ? (
      '–'
    ) : (
      <a class="go" href={`/console/apps/${encodeURIComponent(app)}`}>
        <Name of={app} />
      </a>
    ),
};

/** Without the company, which is usually the same. */
function holderCell({ contact = '' }: ListedKey) {
  return (
    <span class="cut" title={contact}>
      {contact.replace(/@[^@]*$/, '')}
    </span>
  );
}

export function LastUsed({ at }: { readonly at: string | null }) {
  return at === null ? <span class="note">never</span> : <When at={at} isBare />;
}

export function callsCell({ id, callsToday: calls }: KeyInUse) {
  return (
    <>
      <a class="go" href={callsToday(id)}>
        {calls === null ? 'too many to count' : <Count of={calls} />}
      </a>
      <span class="narrow"> calls</span>
    </>
  );
}

function callsToday(key: string, order?: string): string {
  const since = `${new Date().toISOString().slice(0, 10)}T00:00:00Z`;
  return withQuery('/console/calls', { key, since, order });
}
