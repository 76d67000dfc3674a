import type { AppChanged, AppPage } from '@model-gateway/server/operations/documents';
import { useState } from 'preact/hooks';
import { useRead } from '../../data/read.ts';
import { DialogButton, OpenedChange } from '../../parts/change-dialog.tsx';
import { Usd } from '../../parts/values.tsx';

interface BudgetDialogProps {
  readonly app: string;
  readonly label?: string;
  readonly onChanged: () => void;
}

export function BudgetDialog(props: BudgetDialogProps) {
  const { app, label = 'Change budget' } = props;
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <DialogButton label={label} longLabel={`${label} of ${app}`} open={() => setOpen(true)} />
      {isOpen && <Opened {...props} close={() => setOpen(false)} />}
    </>
  );
}

function Opened({ app, close, onChanged }: BudgetDialogProps & { readonly close: () => void }) {
  const path = `/apps/${encodeURIComponent(app)}`;
  const { data, etag, isStale, again } = useRead<AppPage>(path, `app:${app}`);
  // Of the settings that were seen: what another operator makes of them meanwhile is told.
  const [seen, setSeen] = useState<Seen>();
  if (data === undefined) return null;
  const { settings } = data;
  if (seen === undefined && !isStale) setSeen({ etag, settings });
  return (
    <OpenedChange<AppChanged>
      title={`Daily budget of ${app}`}
      operation="apps update"
      given={{ app }}
      asks={{
        budget: {
          ...{ label: 'USD a day', hint: 'Nothing for no cap', isOptional: true },
          value: settings.dailyBudgetUsd ?? '',
        },
        until: { label: 'Holds', options: spans, hint: undefined },
      }}
      etag={seen?.etag}
      verb="Change budget"
      toInput={({ budget, until }) => ({
        settings: { dailyBudgetUsd: budget || null },
        ...(until && { until }),
      })}
      preview={({ result }) => result !== null && <Today {...result} />}
      seen={seen?.settings}
      close={close}
      onChanged={() => {
        setSeen(undefined);
        again();
        onChanged();
      }}
    />
  );
}

interface Seen {
  readonly etag: string | undefined;
  readonly settings: AppPage['settings'];
}

const spans = [
  ['', 'from now on'],
  ['midnight', 'until midnight UTC'],
] as const;

function Today({ today, note }: NonNullable<AppChanged['result']>) {
  return (
    <>
      {today.after !== null && (
        <p>
          Left today: <Usd of={today.before?.remainingUsd} /> becomes{' '}
          <Usd of={today.after.remainingUsd} />
        </p>
      )}
      {note !== null && <p>{note}</p>}
    </>
  );
}
