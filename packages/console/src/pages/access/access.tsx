import type { OpenSession, SessionsPage } from '@model-gateway/server/operations/documents';
import { useLocation } from 'preact-iso';
import { useRead } from '../../data/read.ts';
import { useMay, useSession } from '../../data/session.ts';
import { Badge } from '../../parts/badge.tsx';
import { Card } from '../../parts/card.tsx';
import { OpenedChange } from '../../parts/change-dialog.tsx';
import type { Column } from '../../parts/column.ts';
import { Menu } from '../../parts/menu.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Pager, pageAfter } from '../../parts/pager.tsx';
import { Shown } from '../../parts/shown.tsx';
import { Empty } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { toast } from '../../parts/toast.tsx';
import { When } from '../../parts/values.tsx';
import { AppsCell } from './apps-cell.tsx';
import { Roles } from './roles.tsx';
import { Tokens } from './tokens.tsx';
import { Webhooks } from './webhooks.tsx';

export function AccessView() {
  const mayAccess = useMay('access');
  const session = useSession();
  return (
    <>
      <PageHead
        title="Access"
        note={
          session !== undefined && (
            <>
              Signed in as {session.name}, {session.role}
              {session.apps !== null && ` of ${session.apps.join(', ')}`}, until{' '}
              <When at={session.expiresAt} />
            </>
          )
        }
      />
      <div class="stack">
        {mayAccess && (
          <>
            <Sessions />
            <Tokens />
          </>
        )}
        <Webhooks />
        <Roles />
      </div>
    </>
  );
}

const columns = (again: () => void): readonly Column<OpenSession>[] => [
  {
    ...{ id: 'who', head: 'Name', isFill: true, narrow: 1 },
    cell: ({ name, isOwn }) => (
      <span class="cut" title={name}>
        {isOwn ? `${name} (this session)` : name}
      </span>
    ),
  },
  { id: 'role', head: 'Role', narrow: 2, cell: ({ role }) => role },
  { id: 'apps', head: 'Apps', narrow: 3, cell: ({ apps }) => <AppsCell of={apps} /> },
  { id: 'since', head: 'Since (UTC)', cell: ({ createdAt }) => <When at={createdAt} isBare /> },
  {
    ...{ id: 'seen', head: 'Last seen (UTC)', narrow: 5 },
    cell: ({ seenAt }) => (
      <>
        <span class="narrow">Last seen </span>
        <When at={seenAt} isBare />
        <span class="narrow"> UTC</span>
      </>
    ),
  },
  { id: 'until', head: 'Ends (UTC)', cell: ({ expiresAt }) => <When at={expiresAt} isBare /> },
  {
    ...{ id: 'actions', head: 'Actions', narrow: 6 },
    cell: (session) =>
      session.isOwn ? (
        <Badge tone="accent" icon="user">
          You
        </Badge>
      ) : (
        <SessionMenu of={session} again={again} />
      ),
  },
];

interface MenuProps {
  readonly of: OpenSession;
  readonly again: () => void;
}

function SessionMenu({ of: { id, name }, again }: MenuProps) {
  return (
    <Menu
      label={`Actions for the session of ${name}`}
      actions={[
        {
          ...{ icon: 'close', text: 'End…', isDangerous: true },
          dialog: (close) => (
            <OpenedChange
              title={`End session of ${name}`}
              verb="End session"
              operation="sessions end"
              given={{ id }}
              close={close}
              onChanged={() => {
                toast(`Session of ${name} ended`);
                again();
              }}
            >
              <p>The browser must log in again at its next request.</p>
            </OpenedChange>
          ),
        },
      ]}
    />
  );
}

function Sessions() {
  const read = useRead<SessionsPage>('/sessions');
  const { query } = useLocation();
  return (
    <Shown of={read} rows={3}>
      {({ items }) => {
        const page = pageAfter(items, ({ id }) => id, query.after);
        return (
          <Card
            title="Sessions"
            isFlush
            footer={
              page.next === undefined && page.before === undefined ? undefined : (
                <Pager label="Pages of sessions" of={page} />
              )
            }
          >
            <Table
              caption="Active sessions"
              columns={columns(read.again)}
              rows={page.rows}
              keyOf={({ id }) => id}
              empty={
                <Empty icon="user" title="No active sessions">
                  <p>Each login appears here until it ends.</p>
                </Empty>
              }
            />
          </Card>
        );
      }}
    </Shown>
  );
}
