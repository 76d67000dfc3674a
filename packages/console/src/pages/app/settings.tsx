import type { AppPage } from '@model-gateway/server/operations/documents';
import type { ComponentChildren } from 'preact';
import { Card } from '../../parts/card.tsx';
import { Usd } from '../../parts/values.tsx';
import { rateText } from './limits.tsx';

const unpricedTexts = {
  dearest: 'Count the highest known price',
  refuse: 'Refuse',
  free: 'Count as free',
} as const;

export function AppSettings({ page }: { readonly page: AppPage }) {
  const { settings, plans } = page;
  const { credits, unpriced, streaming, drift } = settings;
  const onOff = (is: boolean) => (is ? 'On' : 'Off');
  const facts: readonly (readonly [string, ComponentChildren])[] = [
    ['Budget per day', <Amount of={settings.dailyBudgetUsd} />],
    ['Budget per month', <Amount of={settings.monthlyBudgetUsd} />],
    ['Budget per user and day', <Amount of={settings.perUserDailyUsd} />],
    ['Models', settings.models === null ? 'All' : settings.models.join(', ') || 'None'],
    ['Rate limit, users', planText(plans.user)],
    ['Rate limit, admins', planText(plans.admin)],
    [
      'Rate limit, all keys',
      settings.ratePerSecond === null ? 'None' : `${settings.ratePerSecond} per second`,
    ],
    ['Active keys, maximum', settings.keysMax.toLocaleString('en')],
    ['Credits', credits === null ? 'Off' : <Credits of={credits} />],
    ['Models without a price', unpriced === null ? 'As configured' : unpricedTexts[unpriced]],
    ['Streaming', streaming === null ? 'As configured' : onOff(streaming)],
    ['Default max tokens', settings.defaultMaxTokens?.toLocaleString('en') ?? 'As configured'],
    ['Stores responses for retries', onOff(settings.storeAnswers)],
    ['Tags', tagsText(settings.tags)],
    ['Created by', settings.origin === 'file' ? 'The configuration file' : 'A command'],
    ...(drift.length > 0 ? [['Differs from the file', driftText(drift)] as const] : []),
  ];
  return (
    <Card title="Settings" span={7}>
      <dl class="facts">
        {facts.map(([name, value]) => (
          <Fact key={name} name={name} value={value} />
        ))}
      </dl>
    </Card>
  );
}

function Fact({ name, value }: { readonly name: string; readonly value: ComponentChildren }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
  );
}

function Amount({ of }: { readonly of: string | null }) {
  return of === null ? <>None</> : <Usd of={of} />;
}

function Credits({ of }: { readonly of: NonNullable<AppPage['settings']['credits']> }) {
  return (
    <>
      {of.monthlyGrant} per user and month, <Usd of={of.usdPerCredit} /> each
    </>
  );
}

function planText(plan: AppPage['plans']['user']): string {
  return `${rateText(plan)}, ${plan.requestsPerDay.toLocaleString('en')} per day`;
}

const names: Readonly<Record<string, string>> = {
  ...{ dailyBudgetUsd: 'budget per day', monthlyBudgetUsd: 'budget per month' },
  ...{ perUserDailyUsd: 'budget per user and day', streaming: 'streaming', enabled: 'enabled' },
  ...{ defaultMaxTokens: 'default max tokens', storeAnswers: 'stores responses for retries' },
  ...{ ratePerSecond: 'rate limit of all keys', keysMax: 'active keys', plans: 'rate limits' },
  ...{ unpriced: 'models without a price', adoptRetries: 'retries' },
};

function driftText(drift: readonly string[]): string {
  return drift.map((text) => text.replace(/^\w+/, (name) => names[name] ?? name)).join('; ');
}

function tagsText(tags: Readonly<Record<string, string>>): string {
  const named = Object.entries(tags).map(([name, value]) => `${name}: ${value}`);
  return named.join(', ') || 'None';
}
