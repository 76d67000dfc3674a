import type { KeyIssued } from '@model-gateway/server/operations/documents';
import { send } from '../../data/client.ts';
import { ChangeDialog } from '../../parts/change-dialog.tsx';
import { ShownSecret } from '../../parts/shown-secret.tsx';

/** Issues a key of an app, which is shown once. */
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
      fields={[
        { name: 'email', label: 'E-mail', hint: 'The person or team that gets it' },
        { name: 'note', label: 'What it is for', isOptional: true },
        { name: 'dailyUsd', label: 'USD a day', hint: 'Nothing for no cap', isOptional: true },
        { name: 'models', label: 'Models', hint: 'Nothing for those of the app', isOptional: true },
      ]}
      verb="Issue the key"
      send={({ values, common }) =>
        send('POST', `/apps/${encodeURIComponent(app)}/keys`, { ...common, ...askedOf(values) })
      }
      done={(changed) => <ShownOnce issued={changed} />}
      onChanged={onChanged}
    />
  );
}

function askedOf({ email, note, dailyUsd, models = '' }: Readonly<Record<string, string>>) {
  const ids = models.split(',').map((id) => id.trim());
  const named = ids.filter((id) => id !== '');
  return {
    email,
    ...(note ? { note } : {}),
    ...(dailyUsd ? { dailyUsd } : {}),
    ...(named.length > 0 ? { models: named } : {}),
  };
}

/** A secret that no one can be shown again. */
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
