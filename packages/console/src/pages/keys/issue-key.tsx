import type { KeyIssued } from '@model-gateway/server/operations/documents';
import { ChangeDialog } from '../../parts/change-dialog.tsx';
import { ShownSecret } from '../../parts/shown-secret.tsx';

export function IssueKey({
  app,
  onChanged,
}: {
  readonly app: string;
  readonly onChanged: () => void;
}) {
  return (
    <ChangeDialog<KeyIssued>
      label="Issue key"
      title={`Issue a key for ${app}`}
      operation="keys issue"
      given={{ app }}
      asks={{
        ...{ email: 'E-mail', note: 'What it is for' },
        dailyUsd: { label: 'USD a day', hint: 'Nothing for no cap' },
        models: { label: 'Models', hint: 'Nothing for those of the app' },
      }}
      verb="Issue the key"
      done={(changed) => <ShownOnce issued={changed} />}
      onChanged={onChanged}
    />
  );
}

export function ShownOnce({ issued }: { readonly issued: KeyIssued }) {
  const { result } = issued;
  if (result === null) return null;
  return (
    <>
      <p>
        Key <code>{result.id}</code> of {result.name}. It is shown now and never again.
      </p>
      <ShownSecret text={result.key} label="The key" />
    </>
  );
}
