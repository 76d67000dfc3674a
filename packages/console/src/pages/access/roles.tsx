import type { RightsPage } from '@model-gateway/server/operations/documents';
import { useRead } from '../../data/read.ts';
import { useSession } from '../../data/session.ts';
import { Card } from '../../parts/card.tsx';
import type { Column } from '../../parts/column.ts';
import { Icon } from '../../parts/icon.tsx';
import { Shown } from '../../parts/shown.tsx';
import { Table } from '../../parts/table.tsx';
import { capital } from '../../text/capital.ts';

type Right = RightsPage['items'][number];

const roles = ['viewer', 'team', 'finance', 'operator'] as const;

const rightColumn: Column<Right> = {
  ...{ id: 'right', head: 'Permission', isFill: true, narrow: 1 },
  cell: (right) => (
    <>
      <span class="lines" title={right.says}>
        {capital(right.says)}
      </span>
      <span class="narrow note" aria-hidden="true">
        {right.roles.join(', ')}
      </span>
    </>
  ),
};

/** The effective rights: the configuration may give some to other roles. */
export function Roles() {
  const own = useSession()?.role;
  const columns = [
    rightColumn,
    ...roles.map(
      (role): Column<Right> => ({
        ...{ id: role, head: role === own ? `${role} (you)` : role },
        cell: (right) => <May is={right.roles.includes(role)} />,
      }),
    ),
  ];
  return (
    <Shown of={useRead<RightsPage>('/roles')}>
      {({ items }) => (
        <Card
          title="Permissions by role"
          isFlush
          footer={<span>A team can view and change only its own apps.</span>}
        >
          <Table
            caption="Roles"
            columns={columns}
            rows={items}
            keyOf={({ right }) => right}
            empty={null}
          />
        </Card>
      )}
    </Shown>
  );
}

function May({ is }: { readonly is: boolean }) {
  return (
    <>
      <span class={is ? 'good' : 'note'} aria-hidden="true">
        {is ? <Icon of="check" /> : '–'}
      </span>
      <span class="hide">{is ? 'yes' : 'no'}</span>
    </>
  );
}
