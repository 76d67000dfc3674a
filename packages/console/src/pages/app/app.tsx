import type { AppPage, HoldsPage, KeysPage } from '@model-gateway/server/operations/documents';
import type { ComponentChildren } from 'preact';
import { useLocation, useRoute } from 'preact-iso';
import { type Read, useRead } from '../../data/read.ts';
import { useMay } from '../../data/session.ts';
import { withQuery } from '../../data/with-query.ts';
import { Badge } from '../../parts/badge.tsx';
import { Grid } from '../../parts/card.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Shown } from '../../parts/shown.tsx';
import { Count } from '../../parts/values.tsx';
import { AuditLines } from '../activity/activity-lines.tsx';
import { BudgetDialog } from '../budget-dialog.tsx';
import { KeyTable } from '../keys/key-table.tsx';
import { AppActions } from './actions.tsx';
import { AppAlert } from './alerts.tsx';
import { AppBudget } from './budget.tsx';
import { cardQuery, KeysCard } from './keys-card.tsx';
import { Limits } from './limits.tsx';
import { AppProjects } from './projects.tsx';
import { Refusals } from './refusals.tsx';
import { Holds, Runs } from './running.tsx';
import { AppScopes } from './scopes.tsx';
import { AppSettings } from './settings.tsx';
import { Wallets } from './wallet.tsx';

export function AppView() {
  const { app = '' } = useRoute().params;
  const { query } = useLocation();
  const { tab = '' } = query;
  const path = `/apps/${encodeURIComponent(app)}`;
  const page = useRead<AppPage>(path);
  const isOverview = tab === '';
  const holds = useRead<HoldsPage>(isOverview ? `${path}/holds` : undefined);
  const keys = useRead<KeysPage>(isOverview ? `${path}/keys?${cardQuery}` : undefined);
  return (
    <>
      <PageHead
        title={app}
        crumbs={
          <>
            <a href="/console/apps">Apps</a>
            <span aria-hidden="true">/</span>
          </>
        }
        note={page.data === undefined ? null : <Note page={page.data} />}
      >
        {(page.isPending || page.data !== undefined) && (
          <AppActions app={app} page={page.data} etag={page.etag} again={page.again} />
        )}
      </PageHead>
      <Tabs app={app} tab={tab} />
      {tab === 'activity' ? (
        <AuditLines filter={{ subject: app }} />
      ) : tab === 'keys' ? (
        <KeyTable path={`${path}/keys`} app={app} />
      ) : (
        <Shown of={page} after={[holds, keys]} rows={16}>
          {(shown) =>
            tab === 'settings' ? (
              <Grid>
                <AppSettings page={shown} />
                <AppProjects page={shown} again={page.again} />
              </Grid>
            ) : (
              <Overview page={shown} holds={holds} keys={keys} again={page.again} />
            )
          }
        </Shown>
      )}
    </>
  );
}

function Note({ page: { settings, usage } }: { readonly page: AppPage }) {
  return (
    <>
      {settings.enabled ? (
        <Badge tone="good">Enabled</Badge>
      ) : (
        <Badge tone="plain" icon="refused">
          Disabled
        </Badge>
      )}{' '}
      <span class="note">
        {settings.origin === 'file' ? 'from the configuration file' : 'created by command'} ·{' '}
        <Count of={usage.totals.calls} /> calls today
      </span>
    </>
  );
}

const tabs = [
  ['', 'Overview'],
  ['keys', 'Keys'],
  ['settings', 'Settings'],
  ['activity', 'Activity'],
] as const;

function Tabs({ app, tab }: { readonly app: string; readonly tab: string }) {
  return (
    <nav class="tabs" aria-label="Sections of the app">
      {tabs.map(([id, text]) => (
        <a key={id} href={tabOf(app, id)} aria-current={id === tab ? 'page' : undefined}>
          {text}
        </a>
      ))}
      <a href={withQuery('/console/calls', { app })}>Calls</a>
      <a href={withQuery('/console/spend', { app, by: 'model' })}>Spend</a>
    </nav>
  );
}

function tabOf(app: string, tab: string): string {
  return withQuery(`/console/apps/${encodeURIComponent(app)}`, { tab });
}

interface OverviewProps {
  readonly page: AppPage;
  readonly holds: Read<HoldsPage>;
  readonly keys: Read<KeysPage>;
  readonly again: () => void;
}

function Overview({ page, holds, keys, again }: OverviewProps) {
  const { name, credits } = page.settings;
  // With more pages their number is unknown.
  const running = holds.data?.after === null ? holds.data.items.length : undefined;
  const mayOperate = useMay('operate');
  const change = (label: string): ComponentChildren =>
    mayOperate && <BudgetDialog app={name} label={label} isSmall onChanged={again} />;
  return (
    <>
      <AppAlert page={page} raise={change('Raise budget')} />
      <Grid>
        <AppBudget page={page} running={running} change={change('Set budget')} />
        <div class="c4 stack">
          {credits !== null && <Wallets app={name} grant={credits.monthlyGrant} />}
          <Limits page={page} all={tabOf(name, 'settings')} />
        </div>
      </Grid>
      <Grid>
        <AppScopes page={page} />
        <KeysCard keys={keys} all={tabOf(name, 'keys')} />
        <Refusals app={name} refusals={page.refusals} />
        <Holds holds={holds} />
        <Runs runs={page.runs} again={again} />
      </Grid>
    </>
  );
}
