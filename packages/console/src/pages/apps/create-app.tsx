import type { AppChanged } from '@model-gateway/server/operations/documents';
import { ChangeDialog } from '../../parts/change-dialog.tsx';

export function CreateApp({ again }: { readonly again: () => void }) {
  return (
    <ChangeDialog<AppChanged>
      label="Create app"
      title="Create an app"
      operation="apps create"
      formFields={{
        name: { label: 'Name', hint: 'Lowercase letters, digits and hyphens' },
        budget: { label: 'USD per day', hint: 'Empty for no budget', isOptional: true },
      }}
      verb="Create app"
      toInput={({ name, budget }) => {
        return { name, ...(budget && { settings: { dailyBudgetUsd: budget } }) };
      }}
      onChanged={again}
    />
  );
}
