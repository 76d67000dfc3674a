import type { AppPage } from '@model-gateway/server/operations/documents';
import type { ComponentChildren } from 'preact';
import { Card } from '../../parts/card.tsx';
import { Usd } from '../../parts/values.tsx';
import { rateText } from './limits.tsx';

const unpricedTexts = {
  dearest: 'Use the highest known price',
  refuse: 'Reject',
  free: 'Count as free',
} as const;

export function AppSettings({ page }: { readonly page: AppPage }) {
  const { settings, plans } = page;
  const { credits, unpriced, streaming, drift } = settings;
  const onOff = (is: boolean) => (is ? 'On' : 'Off');
  const facts: readonly (readonly [string, ComponentChildren])[] = [
    ['Daily budget', <Amount of={settings.dailyBudgetUsd} />],
    ['Monthly budget', <Amount of={settings.monthlyBudgetUsd} />],
    ['Daily budget per user', <Amount of={settings.perUserDailyUsd} />],
    ['Models', settings.models === null ? 'All' : settings.models.join(', ') || 'None'],
    ['Rate limit, users', planText(plans.user)],
    ['Rate limit, admins', planText(plans.admin)],
    [
      'Rate limit, all keys',
      settings.ratePerSecond === null ? 'None' : `${settings.ratePerSecond} per second`,
    ],
    ['Maximum active keys', settings.keysMax.toLocaleString('en')],
    ['Credits', credits === null ? 'Off' : <Credits of={credits} />],
    [
      'Models without a price',
      unpriced === null ? 'From the configuration' : unpricedTexts[unpriced],
    ],
    ['Streaming', streaming === null ? 'From the configuration' : onOff(streaming)],
    [
      'Default maxTokens',
      settings.defaultMaxTokens?.toLocaleString('en') ?? 'From the configuration',
    ],
    ['Stores responses for retries', onOff(settings.storeAnswers)],
    ['Tags', tagsText(settings.tags)],
    ['Created by', settings.origin === 'file' ? 'Configuration file' : 'Command'],
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
  ...{ dailyBudgetUsd: 'daily budget', monthlyBudgetUsd: 'monthly budget' },
  ...{ perUserDailyUsd: 'daily budget per user', streaming: 'streaming', enabled: 'enabled' },
  ...{ defaultMaxTokens: 'default maxTokens', storeAnswers: 'stores responses for retries' },
  ...{
    ratePerSecond: 'rate limit of all keys',
    keysMax: 'maximum active keys',
    plans: 'rate limits',
  },
  ...{ unpriced: 'models without a price', adoptRetries: 'retries' },
};

function driftText(drift: readonly string[]): string {
  return drift.map((text) => text.replace(/^\w+/, (name) => names[name] ?? name)).join('; ');
}

function tagsText(tags: Readonly<Record<string, string>>): string {
  const named = Object.entries(tags).map(([name, value]) => `${name}: ${value}`);
  return named.join(', ') || 'None';
}
