import type {
  AppChanged,
  AppPage,
  AppSettingsAsked,
} from '@model-gateway/server/operations/documents';
import { send } from '../../data/client.ts';
import { ChangeDialog, type Said } from '../../parts/change-dialog.tsx';
import { useMay } from '../../shell/who.ts';
import { IssueKey } from '../keys/issue-key.tsx';
import { BudgetDialog } from './budget-dialog.tsx';

interface ActionsProps {
  readonly page: AppPage;
  readonly etag: string | undefined;
  readonly again: () => void;
}

/** What may be changed of an app by who looks at it. */
export function AppActions({ page, etag, again }: ActionsProps) {
  const [mayOperate, mayKeys] = [useMay('operate'), useMay('keys')];
  const { settings } = page;
  const change = (asked: AppSettingsAsked, { common }: Said) =>
    send<AppChanged>(
      'PATCH',
      `/apps/${encodeURIComponent(settings.name)}`,
      { ...common, settings: asked },
      etag,
    );
  return (
    <div class="actions">
      {mayOperate && (
        <>
          <BudgetDialog app={settings.name} onChanged={again} />
          <ModelsDialog page={page} change={change} again={again} />
          <CreditsDialog page={page} change={change} again={again} />
          <SwitchDialog page={page} change={change} again={again} />
        </>
      )}
      {mayKeys && <IssueKey app={settings.name} onChanged={again} />}
    </div>
  );
}

interface DialogProps {
  readonly page: AppPage;
  readonly change: (asked: AppSettingsAsked, said: Said) => Promise<AppChanged>;
  readonly again: () => void;
}

function ModelsDialog({ page, change, again }: DialogProps) {
  const { name, models } = page.settings;
  return (
    <ChangeDialog<AppChanged>
      label="Allow models"
      title={`Models that ${name} may use`}
      fields={[
        {
          ...{ name: 'models', label: 'Models', value: models?.join(', '), isOptional: true },
          hint: 'Their ids with commas between; nothing for every model',
        },
      ]}
      verb="Change the list"
      send={(said) => {
        const ids = (said.values.models ?? '').split(',').map((id) => id.trim());
        const named = ids.filter((id) => id !== '');
        return change({ models: named.length === 0 ? null : named }, said);
      }}
      onChanged={again}
    />
  );
}

function CreditsDialog({ page, change, again }: DialogProps) {
  const { name, credits } = page.settings;
  return (
    <ChangeDialog<AppChanged>
      label="Change credits"
      title={`Credits of ${name}'s users`}
      fields={[
        { name: 'monthlyGrant', label: 'Credits a month and user', value: credits?.monthlyGrant },
        { name: 'usdPerCredit', label: 'USD per credit', value: credits?.usdPerCredit },
      ]}
      verb="Change credits"
      send={(said) => {
        const { monthlyGrant = '', usdPerCredit = '' } = said.values;
        return change({ credits: { monthlyGrant, usdPerCredit } }, said);
      }}
      onChanged={again}
    />
  );
}

function SwitchDialog({ page, change, again }: DialogProps) {
  const { name, enabled } = page.settings;
  return enabled ? (
    <ChangeDialog<AppChanged>
      label="Disable app"
      title={`Disable ${name}`}
      confirm={name}
      verb="Disable"
      send={(said) => change({ enabled: false }, said)}
      onChanged={again}
    >
      <p>Every key of it is refused from now on. Running calls end as they would.</p>
    </ChangeDialog>
  ) : (
    <ChangeDialog<AppChanged>
      label="Enable app"
      title={`Enable ${name}`}
      verb="Enable"
      send={(said) => change({ enabled: true }, said)}
      onChanged={again}
    />
  );
}
