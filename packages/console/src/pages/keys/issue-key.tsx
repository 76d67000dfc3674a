import type { KeyIssued } from '@model-gateway/server/operations/documents';
import { useState } from 'preact/hooks';
import { OpenedChange } from '../../parts/change-dialog.tsx';
import { Icon } from '../../parts/icon.tsx';
import { ShownSecret } from '../../parts/shown-secret.tsx';

interface IssueProps {
  /** Without it the dialog has a field for it. */
  readonly app?: string;
  /** Next to a more important button. */
  readonly isSecondary?: boolean;
  readonly onChanged: () => void;
}

export function IssueKey({ app, isSecondary, onChanged }: IssueProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        class={isSecondary === true ? undefined : 'primary'}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <Icon of="add" />
        Issue key
      </button>
      {isOpen && (
        <OpenedChange<KeyIssued>
          title={app === undefined ? 'Issue a key' : `Issue a key for ${app}`}
          operation="keys issue"
          given={app === undefined ? {} : { app }}
          formFields={{
            ...(app === undefined && {
              app: { label: 'App', hint: 'Name of an existing app' },
            }),
            ...{ email: 'Owner email', note: 'Purpose' },
            dailyUsd: {
              label: 'Daily budget in USD',
              hint: 'Empty applies only the budgets of the app',
            },
            models: {
              label: 'Models',
              hint: 'Comma-separated ids; empty allows all models of the app',
            },
          }}
          verb="Issue"
          done={(changed) => <ShownOnce issued={changed} />}
          onChanged={onChanged}
          close={() => setOpen(false)}
        />
      )}
    </>
  );
}

export function ShownOnce({ issued }: { readonly issued: KeyIssued }) {
  const { result } = issued;
  if (result === null) return null;
  return (
    <>
      <p>
        Key <code>{result.id}</code> of {result.name}. Copy its secret now. It is not shown again.
      </p>
      <ShownSecret text={result.key} label="The key" />
    </>
  );
}
