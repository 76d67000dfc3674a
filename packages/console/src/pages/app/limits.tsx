import type { AppPage } from '@model-gateway/server/operations/documents';
import { Card } from '../../parts/card.tsx';

interface LimitsProps {
  readonly page: AppPage;
  readonly all: string;
}

export function Limits({ page, all }: LimitsProps) {
  const { settings, plans, usage } = page;
  const { models, streaming, defaultMaxTokens } = settings;
  return (
    <Card
      title="Limits"
      aside={
        <a class="note" href={all}>
          All settings
        </a>
      }
    >
      <dl class="facts">
        <dt>Models</dt>
        <dd title={models?.join(', ')}>{models === null ? 'All' : `${models.length} allowed`}</dd>
        <dt>Rate limit, users</dt>
        <dd>{rateText(plans.user)}</dd>
        <dt>Requests per day, users</dt>
        <dd>{plans.user.requestsPerDay.toLocaleString('en')}</dd>
        <dt>Calls today</dt>
        <dd>{usage.totals.calls.toLocaleString('en')}</dd>
        <dt>Streaming</dt>
        <dd>{streaming === null ? 'From the configuration' : streaming ? 'On' : 'Off'}</dd>
        <dt>Default maxTokens</dt>
        <dd>{defaultMaxTokens?.toLocaleString('en') ?? 'From the configuration'}</dd>
      </dl>
    </Card>
  );
}

export function rateText({ ratePerSecond, burst }: AppPage['plans']['user']): string {
  return `${ratePerSecond.toLocaleString('en')} per second, burst ${burst.toLocaleString('en')}`;
}
