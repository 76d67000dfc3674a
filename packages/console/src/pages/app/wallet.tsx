import type { WalletChanged, WalletPage } from '@model-gateway/server/operations/documents';
import { useLocation } from 'preact-iso';
import { useRead } from '../../data/read.ts';
import { useMay } from '../../data/who.ts';
import { withQuery } from '../../data/with-query.ts';
import { ChangeDialog } from '../../parts/change-dialog.tsx';
import { DataTable, type Head } from '../../parts/data-table.tsx';
import { TextField } from '../../parts/fields.tsx';
import { Shown } from '../../parts/shown.tsx';
import { When } from '../../parts/values.tsx';

type Change = WalletPage['history']['changes'][number];

const columns: readonly Head<Change>[] = [
  { head: 'At', cell: ({ at }) => <When at={at} /> },
  { head: 'Credits', isNumber: true, cell: ({ credits }) => credits },
  { head: 'Reference', cell: ({ reference }) => reference },
  { head: 'By', cell: ({ actor }) => actor ?? '–' },
  { head: 'Reason', cell: ({ reason }) => reason ?? '–' },
];

export function FindWallet({ app }: { readonly app: string }) {
  const { query, path, route } = useLocation();
  const { user = '' } = query;
  return (
    <section>
      <h2>Wallets</h2>
      <TextField
        label="User"
        value={user}
        set={(next) => route(withQuery(path, { ...query, user: next }), true)}
      />
      {user === '' ? (
        <p class="empty">The credits of a user, and why there are as many, once you name one.</p>
      ) : (
        <Wallet app={app} user={user} />
      )}
    </section>
  );
}

function Wallet({ app, user }: { readonly app: string; readonly user: string }) {
  const mayPay = useMay('wallets');
  const path = `/apps/${encodeURIComponent(app)}/wallets/${encodeURIComponent(user)}`;
  const read = useRead<WalletPage>(path);
  return (
    <Shown of={read}>
      {({ wallet, history }) => (
        <>
          <p>
            {wallet.period}: <strong>{wallet.available} credits left</strong> · granted{' '}
            {wallet.granted} · topped up {wallet.toppedUp} · spent {wallet.spent} · held{' '}
            {wallet.held}
          </p>
          {mayPay && <TopUp app={app} user={user} again={read.again} />}
          <DataTable
            caption={`Top-ups of ${user}`}
            heads={columns}
            rows={history.changes}
            keyOf={({ reference }) => reference}
            empty="Never topped up. What is added or taken back is here, with who did it and why."
          />
        </>
      )}
    </Shown>
  );
}

function TopUp({ again, ...given }: { app: string; user: string; again: () => void }) {
  const common = { operation: 'wallets top-up', given, onChanged: again } as const;
  const reference = {
    label: 'Reference',
    hint: 'Such as an order number: the same one acts once',
  };
  return (
    <div class="actions">
      <ChangeDialog<WalletChanged>
        {...common}
        label="Top up"
        title={`Top up ${given.user}`}
        asks={{ credits: { label: 'Credits to add', hint: undefined }, reference }}
        verb="Top up"
        preview={({ result }) =>
          result !== null && <p>{result.wallet.available} credits after it</p>
        }
      />
      <ChangeDialog<WalletChanged>
        {...common}
        label="Take back"
        title={`Take credits of ${given.user} back`}
        asks={{ credits: { label: 'Credits to take', hint: undefined }, reference }}
        confirm={given.user}
        verb="Take back"
        toInput={({ credits, reference: under }) => {
          return { credits: `-${credits}`, ...(under && { reference: under }) };
        }}
      />
    </div>
  );
}
