import type { AppChanged, AppPage } from '@model-gateway/server/operations/documents';
import { useState } from 'preact/hooks';
import { useRead } from '../data/read.ts';
import { OpenedChange } from '../parts/change-dialog.tsx';
import { Usd } from '../parts/values.tsx';

interface BudgetDialogProps {
  readonly app: string;
  readonly label?: string;
  readonly isPrimary?: boolean;
  readonly isSmall?: boolean;
  readonly onChanged: () => void;
}

export function BudgetDialog(props: BudgetDialogProps) {
  const { app, label = 'Change budget', isPrimary, isSmall } = props;
  const [isOpen, setOpen] = useState(false);
  const classes = [isPrimary === true && 'primary', isSmall === true && 'small'].filter(Boolean);
  return (
    <>
      <button
        type="button"
        class={classes.join(' ') || undefined}
        aria-haspopup="dialog"
        aria-label={`${label} of ${app}`}
        onClick={() => setOpen(true)}
      >
        {label}
      </button>
      {isOpen && <OpenedBudget {...props} close={() => setOpen(false)} />}
    </>
  );
}

interface OpenedProps {
  readonly app: string;
  readonly onChanged: () => void;
  readonly close: () => void;
}

/** The dialog, for an action of a menu. */
export function OpenedBudget({ app, close, onChanged }: OpenedProps) {
  const path = `/apps/${encodeURIComponent(app)}`;
  const { data, etag, isStale, again } = useRead<AppPage>(path, `app:${app}`);
  // The settings that were shown: another operator's later change is reported.
  const [seen, setSeen] = useState<Seen>();
  if (data === undefined) return null;
  const { settings } = data;
  if (seen === undefined && !isStale) setSeen({ etag, settings });
  return (
    <OpenedChange<AppChanged>
      title={`Daily budget of ${app}`}
      operation="apps update"
      given={{ app }}
      formFields={{
        budget: {
          ...{ label: 'USD per day', hint: 'Empty for no limit', isOptional: true },
          value: settings.dailyBudgetUsd ?? '',
        },
        until: { label: 'Duration', options: spans, hint: undefined },
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
          {today.before === null ? (
            'Remaining today becomes '
          ) : (
            <>
              Remaining today: <Usd of={today.before.remainingUsd} /> becomes{' '}
            </>
          )}
          <b>
            <Usd of={today.after.remainingUsd} />
          </b>
        </p>
      )}
      {note !== null && <p>{note}</p>}
    </>
  );
}
