import type { OpenSession, SessionsPage } from '@model-gateway/server/operations/documents';
import { useRead } from '../../data/read.ts';
import { ChangeDialog } from '../../parts/change-dialog.tsx';
import { DataTable, type Head } from '../../parts/data-table.tsx';
import { Shown } from '../../parts/shown.tsx';
import { When } from '../../parts/values.tsx';

export function Sessions() {
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
