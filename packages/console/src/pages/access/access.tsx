import type {
  OpenSession,
  RightsPage,
  SessionsPage,
} from '@model-gateway/server/operations/documents';
import { useRead } from '../../data/read.ts';
import { useMay, useWho } from '../../data/who.ts';
import { ChangeDialog } from '../../parts/change-dialog.tsx';
import { DataTable, type Head } from '../../parts/data-table.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Shown } from '../../parts/shown.tsx';
import { When } from '../../parts/values.tsx';
import { Tokens } from './tokens.tsx';
import { Webhooks } from './webhooks.tsx';

export function AccessView() {
  const mayAccess = useMay('access');
  const session = useWho();
  return (
    <>
      <PageHead title="Access" />
      {session !== undefined && (
        <p>
          You are {session.name}, {session.role}
          {session.apps !== null && ` of ${session.apps.join(', ')}`}, until{' '}
          <When at={session.expiresAt} />.
        </p>
      )}
      {mayAccess && (
        <>
          <Sessions />
          <Tokens />
        </>
      )}
      <Roles />
      <Webhooks />
    </>
  );
}

type Right = RightsPage['items'][number];

const roles = ['viewer', 'team', 'finance', 'operator'] as const;

const columns: readonly Head<Right>[] = [
  { head: 'May', cell: ({ says }) => says },
  ...roles.map(
    (role): Head<Right> => ({
      head: role,
      cell: (right) => (right.roles.includes(role) ? 'yes' : 'no'),
    }),
  ),
];

function Roles() {
  return (
    <section>
      <h2>Who may what</h2>
      <p>A team sees and changes its own apps alone.</p>
      <Shown of={useRead<RightsPage>('/roles')}>
        {({ items }) => (
          <DataTable
            caption="Roles"
            heads={columns}
            rows={items}
            keyOf={({ right }) => right}
            empty="No role."
          />
        )}
      </Shown>
    </section>
  );
}

function Sessions() {
  const read = useRead<SessionsPage>('/sessions');
  const columns: readonly Head<OpenSession>[] = [
    { head: 'Who', cell: ({ name, isOwn }) => (isOwn ? `${name} (this one)` : name) },
    { head: 'Role', cell: ({ role }) => role },
    { head: 'Apps', cell: ({ apps }) => apps?.join(', ') ?? 'all' },
    { head: 'Since', cell: ({ createdAt }) => <When at={createdAt} /> },
    { head: 'Seen', cell: ({ seenAt }) => <When at={seenAt} /> },
    { head: 'Until', cell: ({ expiresAt }) => <When at={expiresAt} /> },
    {
      head: 'End',
      cell: ({ id, name, isOwn }) =>
        !isOwn && (
          <ChangeDialog
            label="End"
            title={`End a session of ${name}`}
            verb="End the session"
            operation="sessions end"
            given={{ id }}
            onChanged={read.again}
          />
        ),
    },
  ];
  return (
    <section>
      <h2>Sessions</h2>
      <Shown of={read}>
        {({ items }) => (
          <DataTable
            caption="Sessions"
            heads={columns}
            rows={items}
            keyOf={({ id }) => id}
            empty="No session. Each login is here until it ends."
          />
        )}
      </Shown>
    </section>
  );
}
