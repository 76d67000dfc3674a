import type { AppChanged, AppPage } from '@model-gateway/server/operations/documents';
import { listIn } from '../../data/operations.ts';
import { useMay } from '../../data/session.ts';
import { type ChangeProps, OpenedChange } from '../../parts/change-dialog.tsx';
import { type Action, Menu } from '../../parts/menu.tsx';
import { BudgetDialog } from '../budget-dialog.tsx';
import { IssueKey } from '../keys/issue-key.tsx';

interface ActionsProps {
  readonly app: string;
  /** Undefined before it has arrived. */
  readonly page: AppPage | undefined;
  readonly etag: string | undefined;
  readonly again: () => void;
}

export function AppActions({ app, page, etag, again }: ActionsProps) {
  const [mayOperate, mayKeys] = [useMay('operate'), useMay('keys')];
  const common = {
    ...{ etag, given: { app }, onChanged: again },
    operation: 'apps update',
  } as const;
  return (
    <>
      {mayKeys && <IssueKey app={app} isSecondary onChanged={again} />}
      {mayOperate && (
        <>
          <BudgetDialog app={app} isPrimary onChanged={again} />
          <Menu
            label={`Actions for ${app}`}
            actions={page === undefined ? [] : actionsOf({ ...common, page })}
          />
        </>
      )}
    </>
  );
}

type DialogProps = Pick<ChangeProps<AppChanged>, 'etag' | 'given' | 'operation' | 'onChanged'> & {
  readonly page: AppPage;
};

function actionsOf(common: DialogProps): readonly Action[] {
  const { enabled } = common.page.settings;
  return [
    {
      ...{ icon: 'model', text: 'Change models…' },
      dialog: (close) => <ModelsDialog {...common} close={close} />,
    },
    {
      ...{ icon: 'pie', text: 'Change credits…' },
      dialog: (close) => <CreditsDialog {...common} close={close} />,
    },
    {
      icon: enabled ? 'refused' : 'done',
      text: enabled ? 'Disable app…' : 'Enable app…',
      isDangerous: enabled,
      dialog: (close) => <SwitchDialog {...common} close={close} />,
    },
  ];
}

type Opened = DialogProps & { readonly close: () => void };

function ModelsDialog({ page, ...common }: Opened) {
  const { name, models } = page.settings;
  return (
    <OpenedChange<AppChanged>
      {...common}
      title={`Allowed models of ${name}`}
      formFields={{
        models: {
          ...{ label: 'Models', value: models?.join(', '), isOptional: true },
          hint: 'Comma-separated ids; empty allows all models',
        },
      }}
      verb="Change models"
      toInput={({ models: text = '' }) => {
        const named = listIn(text);
        return { settings: { models: named.length === 0 ? null : named } };
      }}
    />
  );
}

function CreditsDialog({ page, ...common }: Opened) {
  const { name, credits } = page.settings;
  return (
    <OpenedChange<AppChanged>
      {...common}
      title={`Credits for users of ${name}`}
      formFields={{
        monthlyGrant: { label: 'Monthly credits per user', value: credits?.monthlyGrant },
        usdPerCredit: { label: 'USD per credit', value: credits?.usdPerCredit },
      }}
      verb="Change credits"
      toInput={(values) => ({ settings: { credits: values } })}
    />
  );
}

function SwitchDialog({ page, ...common }: Opened) {
  const { name, enabled } = page.settings;
  const verb = enabled ? 'Disable' : 'Enable';
  return (
    <OpenedChange<AppChanged>
      {...common}
      title={`${verb} ${name}`}
      confirm={enabled ? name : undefined}
      verb={verb}
      toInput={() => ({ settings: { enabled: !enabled } })}
    >
      {enabled && <p>All its keys stop working immediately. Running calls finish normally.</p>}
    </OpenedChange>
  );
}
