import type { AppChanged, AppPage } from '@model-gateway/server/operations/documents';
import { listIn } from '../../data/operations.ts';
import { useMay } from '../../data/who.ts';
import { ChangeDialog, type ChangeProps } from '../../parts/change-dialog.tsx';
import { IssueKey } from '../keys/issue-key.tsx';
import { BudgetDialog } from './budget-dialog.tsx';

interface ActionsProps {
  readonly page: AppPage;
  readonly etag: string | undefined;
  readonly again: () => void;
}

export function AppActions({ page, etag, again }: ActionsProps) {
  const [mayOperate, mayKeys] = [useMay('operate'), useMay('keys')];
  const { settings } = page;
  const common: DialogProps = {
    ...{ page, etag, given: { app: settings.name }, onChanged: again },
    operation: 'apps update',
  };
  return (
    <div class="actions">
      {mayOperate && (
        <>
          <BudgetDialog app={settings.name} onChanged={again} />
          <ModelsDialog {...common} />
          <CreditsDialog {...common} />
          <SwitchDialog {...common} />
        </>
      )}
      {mayKeys && <IssueKey app={settings.name} onChanged={again} />}
    </div>
  );
}

type DialogProps = Pick<ChangeProps<AppChanged>, 'etag' | 'given' | 'operation' | 'onChanged'> & {
  readonly page: AppPage;
};

function ModelsDialog({ page, ...common }: DialogProps) {
  const { name, models } = page.settings;
  return (
    <ChangeDialog<AppChanged>
      {...common}
      label="Allow models"
      title={`Models that ${name} may use`}
      asks={{
        models: {
          ...{ label: 'Models', value: models?.join(', '), isOptional: true },
          hint: 'Their ids with commas between; nothing for every model',
        },
      }}
      verb="Change the list"
      toInput={({ models: text = '' }) => {
        const named = listIn(text);
        return { settings: { models: named.length === 0 ? null : named } };
      }}
    />
  );
}

function CreditsDialog({ page, ...common }: DialogProps) {
  const { name, credits } = page.settings;
  return (
    <ChangeDialog<AppChanged>
      {...common}
      label="Change credits"
      title={`Credits of ${name}'s users`}
      asks={{
        monthlyGrant: { label: 'Credits a month and user', value: credits?.monthlyGrant },
        usdPerCredit: { label: 'USD per credit', value: credits?.usdPerCredit },
      }}
      verb="Change credits"
      toInput={(values) => ({ settings: { credits: values } })}
    />
  );
}

function SwitchDialog({ page, ...common }: DialogProps) {
  const { name, enabled } = page.settings;
  const verb = enabled ? 'Disable' : 'Enable';
  return (
    <ChangeDialog<AppChanged>
      {...common}
      label={`${verb} app`}
      title={`${verb} ${name}`}
      confirm={enabled ? name : undefined}
      verb={verb}
      toInput={() => ({ settings: { enabled: !enabled } })}
    >
      {enabled && <p>Every key of it is refused from now on. Running calls end as they would.</p>}
    </ChangeDialog>
  );
}
