import type {
  AdminToken,
  IssuedToken,
  TokensPage,
} from '@model-gateway/server/operations/documents';
import { useRead } from '../../data/read.ts';
import { ChangeDialog } from '../../parts/change-dialog.tsx';
import { DataTable, type Head } from '../../parts/data-table.tsx';
import { Shown } from '../../parts/shown.tsx';
import { ShownSecret } from '../../parts/shown-secret.tsx';
import { When } from '../../parts/values.tsx';

export function Tokens() {
  const read = useRead<TokensPage>('/tokens');
  const columns: readonly Head<AdminToken>[] = [
    { head: 'Token', cell: ({ id, name }) => `${name} · ${id}` },
    { head: 'Role', cell: ({ role }) => role },
    { head: 'Apps', cell: ({ apps }) => apps?.join(', ') ?? 'all' },
    { head: 'State', cell: ({ enabled }) => (enabled ? 'works' : 'disabled') },
    { head: 'Made', cell: ({ createdAt }) => <When at={createdAt} /> },
    { head: 'Until', cell: ({ expiresAt }) => <When at={expiresAt} /> },
    {
      head: 'Disable',
      cell: ({ id, name, enabled }) =>
        enabled && (
          <ChangeDialog
            label="Disable"
            title={`Disable the token ${name}`}
            verb="Disable the token"
            operation="tokens disable"
            given={{ id }}
            onChanged={read.again}
          />
        ),
    },
  ];
  return (
    <section>
      <h2>Tokens of scripts</h2>
      <IssueDialog again={read.again} />
      <Shown of={read}>
        {({ items }) => (
          <DataTable
            caption="Tokens"
            heads={columns}
            rows={items}
            keyOf={({ id }) => id}
            empty="No token. A script that asks the admin API needs one, with a role and an end."
          />
        )}
      </Shown>
    </section>
  );
}

function IssueDialog({ again }: { readonly again: () => void }) {
  return (
    <ChangeDialog<IssuedToken>
      label="Issue token"
      title="Issue a token for a script"
      operation="tokens issue"
      asks={{ name: 'Name', role: 'Role', apps: 'Apps', days: 'Days' }}
      verb="Issue the token"
      done={({ token }) => (
        <>
          <p>It is shown now and never again.</p>
          <ShownSecret text={token} label="The token" />
        </>
      )}
      onChanged={again}
    />
  );
}
