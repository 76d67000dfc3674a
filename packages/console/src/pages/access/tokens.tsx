import type {
  AdminToken,
  IssuedToken,
  TokensPage,
} from '@model-gateway/server/operations/documents';
import { useRead } from '../../data/read.ts';
import { Badge } from '../../parts/badge.tsx';
import { Card } from '../../parts/card.tsx';
import { ChangeDialog, OpenedChange } from '../../parts/change-dialog.tsx';
import type { Column } from '../../parts/column.ts';
import { Menu } from '../../parts/menu.tsx';
import { Shown } from '../../parts/shown.tsx';
import { ShownSecret } from '../../parts/shown-secret.tsx';
import { Empty } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { toast } from '../../parts/toast.tsx';
import { When } from '../../parts/values.tsx';
import { AppsCell } from './apps-cell.tsx';

const columns = (again: () => void): readonly Column<AdminToken>[] => [
  {
    ...{ id: 'token', head: 'Token', isFill: true, narrow: 1 },
    cell: ({ id, name }) => (
      <>
        <span class="cut" title={name}>
          {name}
        </span>
        <code class="note">{id}</code>
      </>
    ),
  },
  { id: 'role', head: 'Role', narrow: 2, cell: ({ role }) => role },
  { id: 'apps', head: 'Apps', narrow: 3, cell: ({ apps }) => <AppsCell of={apps} /> },
  { id: 'state', head: 'State', narrow: 5, cell: (token) => <TokenState of={token} /> },
  { id: 'made', head: 'Created (UTC)', cell: ({ createdAt }) => <When at={createdAt} isBare /> },
  { id: 'until', head: 'Expires (UTC)', cell: ({ expiresAt }) => <When at={expiresAt} isBare /> },
  {
    ...{ id: 'actions', head: 'Actions', narrow: 6 },
    cell: (token) => token.enabled && <TokenMenu of={token} again={again} />,
  },
];

function TokenState({ of: { enabled, expiresAt } }: { readonly of: AdminToken }) {
  if (!enabled) {
    return (
      <Badge tone="plain" icon="refused">
        Disabled
      </Badge>
    );
  }
  if (Date.parse(expiresAt) > Date.now()) return <Badge tone="good">Active</Badge>;
  return (
    <Badge tone="plain" icon="refused">
      Expired
    </Badge>
  );
}

interface MenuProps {
  readonly of: AdminToken;
  readonly again: () => void;
}

function TokenMenu({ of: { id, name }, again }: MenuProps) {
  return (
    <Menu
      label={`Actions for token ${name}`}
      actions={[
        {
          ...{ icon: 'refused', text: 'Disable…', isDangerous: true },
          dialog: (close) => (
            <OpenedChange
              title={`Disable token ${name}`}
              verb="Disable token"
              operation="tokens disable"
              given={{ id }}
              close={close}
              onChanged={() => {
                toast(`Token ${name} disabled`);
                again();
              }}
            />
          ),
        },
      ]}
    />
  );
}

export function Tokens() {
  const read = useRead<TokensPage>('/tokens');
  return (
    <Shown of={read} rows={3}>
      {({ items }) => (
        <Card title="API tokens" isFlush aside={<IssueDialog again={read.again} />}>
          <Table
            caption="API tokens"
            columns={columns(read.again)}
            rows={items}
            keyOf={({ id }) => id}
            empty={
              <Empty icon="key" title="No API tokens">
                <p>
                  Scripts need a token to call the admin API. Issue one with a role and a lifetime.
                </p>
              </Empty>
            }
          />
        </Card>
      )}
    </Shown>
  );
}

function IssueDialog({ again }: { readonly again: () => void }) {
  return (
    <ChangeDialog<IssuedToken>
      label="Issue token"
      title="Issue an API token"
      operation="tokens issue"
      formFields={{ name: 'Purpose', role: 'Role', apps: 'Apps', days: 'Days' }}
      verb="Issue token"
      done={({ token }) => (
        <>
          <p>Copy the token now. It is not shown again.</p>
          <ShownSecret text={token} label="The token" />
        </>
      )}
      onChanged={again}
    />
  );
}
