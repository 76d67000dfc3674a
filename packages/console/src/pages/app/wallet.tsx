import type { WalletChanged, WalletPage } from '@model-gateway/server/operations/documents';
import { useLocation } from 'preact-iso';
import { useRead } from '../../data/read.ts';
import { useMay } from '../../data/session.ts';
import { withQuery } from '../../data/with-query.ts';
import { Card } from '../../parts/card.tsx';
import { ChangeDialog } from '../../parts/change-dialog.tsx';
import { Shown } from '../../parts/shown.tsx';
import { When } from '../../parts/values.tsx';
import { monthText } from '../../text/days.ts';

type Change = WalletPage['history']['changes'][number];

interface WalletsProps {
  readonly app: string;
  readonly grant: string;
}

export function Wallets({ app, grant }: WalletsProps) {
  const { query, path, route } = useLocation();
  const { user = '' } = query;
  return (
    <Card title="Wallets" aside={<span class="note">{grant} credits per user and month</span>}>
      <label class="field">
        User
        <input
          type="text"
          value={user}
          autocomplete="off"
          spellcheck={false}
          onChange={({ currentTarget }) =>
            route(withQuery(path, { ...query, user: currentTarget.value.trim() }), true)
          }
        />
      </label>
      {user === '' ? (
        <p class="note">Enter a user id to see their credits and history.</p>
      ) : (
        <Wallet app={app} user={user} />
      )}
    </Card>
  );
}

function Wallet({ app, user }: { readonly app: string; readonly user: string }) {
  const mayPay = useMay('wallets');
  const path = `/apps/${encodeURIComponent(app)}/wallets/${encodeURIComponent(user)}`;
  const read = useRead<WalletPage>(path);
  return (
    <Shown of={read} rows={4}>
      {({ wallet, history, isNewUser }) => (
        <>
          <p class="big">
            {wallet.available}{' '}
            <span class="note">credits left in {monthText(`${wallet.period}-01`)}</span>
          </p>
          {isNewUser && <p class="note">This user has no calls yet. Check the id.</p>}
          <dl class="facts">
            <dt>Granted</dt>
            <dd>{wallet.granted}</dd>
            <dt>Topped up</dt>
            <dd>{wallet.toppedUp}</dd>
            <dt>Spent</dt>
            <dd>{wallet.spent}</dd>
            <dt>Reserved</dt>
            <dd>{wallet.held}</dd>
          </dl>
          {mayPay && <TopUp app={app} user={user} again={read.again} />}
          <History changes={history.changes} />
        </>
      )}
    </Shown>
  );
}

function History({ changes }: { readonly changes: readonly Change[] }) {
  if (changes.length === 0) return <p class="note">No top-ups yet.</p>;
  return (
    <details>
      <summary class="note">
        {changes.length === 1 ? '1 top-up' : `${changes.length} top-ups`}
      </summary>
      <ul class="flat">
        {changes.map(({ at, credits, reference, actor, reason }) => (
          <li key={reference}>
            <b>{credits} credits</b> <When at={at} />
            <p class="note">{[reference, actor, reason].filter(Boolean).join(' · ')}</p>
          </li>
        ))}
      </ul>
    </details>
  );
}

function TopUp({ again, ...given }: { app: string; user: string; again: () => void }) {
  const common = { operation: 'wallets top-up', given, onChanged: again } as const;
  const reference = {
    label: 'Reference',
    hint: 'For example an order number; the same reference is applied once',
  };
  return (
    <div class="actions">
      <ChangeDialog<WalletChanged>
        {...common}
        label="Top up"
        title={`Top up ${given.user}`}
        formFields={{ credits: { label: 'Credits to add', hint: undefined }, reference }}
        verb="Top up"
        preview={({ result }) =>
          result !== null && <p>Credits after this change: {result.wallet.available}</p>
        }
      />
      <ChangeDialog<WalletChanged>
        {...common}
        label="Debit"
        title={`Debit ${given.user}`}
        formFields={{ credits: { label: 'Credits to remove', hint: undefined }, reference }}
        confirm={given.user}
        verb="Debit"
        toInput={({ credits, reference: under }) => {
          return { credits: `-${credits}`, ...(under && { reference: under }) };
        }}
      />
    </div>
  );
}
