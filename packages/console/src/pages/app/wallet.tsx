import type { WalletChanged, WalletPage } from '@model-gateway/server/operations/documents';
import { useLocation } from 'preact-iso';
import { send } from '../../data/client.ts';
import { useRead } from '../../data/read.ts';
import { withQuery } from '../../data/with-query.ts';
import { ChangeDialog } from '../../parts/change-dialog.tsx';
import { DataTable, type Head } from '../../parts/data-table.tsx';
import { TextField } from '../../parts/fields.tsx';
import { Shown } from '../../parts/shown.tsx';
import { When } from '../../parts/values.tsx';
import { useMay } from '../../shell/who.ts';

type Change = WalletPage['history']['changes'][number];

const columns: readonly Head<Change>[] = [
  { head: 'At', cell: ({ at }) => <When at={at} /> },
  { head: 'Credits', isNumber: true, cell: ({ credits }) => credits },
  { head: 'Reference', cell: ({ reference }) => reference },
  { head: 'By', cell: ({ actor }) => actor ?? '–' },
  { head: 'Reason', cell: ({ reason }) => reason ?? '–' },
];

/** Looks for a user's wallet, whose id stays in the URL. */
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
          {mayPay && <TopUp path={path} user={user} again={read.again} />}
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

function TopUp({ path, user, again }: { path: string; user: string; again: () => void }) {
  const post = (credits: string, reference: string | undefined, common: object) =>
    send<WalletChanged>('POST', `${path}/entries`, {
      ...{ ...common, credits },
      ...(reference ? { reference } : {}),
    });
  const reference = {
    ...{ name: 'reference', label: 'Reference', isOptional: true },
    hint: 'Such as an order number: the same one acts once',
  };
  return (
    <div class="actions">
      <ChangeDialog<WalletChanged>
        label="Top up"
        title={`Top up ${user}`}
        fields={[{ name: 'credits', label: 'Credits to add' }, reference]}
        verb="Top up"
        send={({ values, common }) => post(values.credits ?? '', values.reference, common)}
        preview={({ result }) =>
          result !== null && <p>{result.wallet.available} credits after it</p>
        }
        onChanged={again}
      />
      <ChangeDialog<WalletChanged>
        label="Take back"
        title={`Take credits of ${user} back`}
        fields={[{ name: 'credits', label: 'Credits to take' }, reference]}
        confirm={user}
        verb="Take back"
        send={({ values, common }) => post(`-${values.credits}`, values.reference, common)}
        onChanged={again}
      />
    </div>
  );
}
