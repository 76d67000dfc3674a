import type { AppPage } from '@model-gateway/server/operations/documents';
import { Usd } from '../../parts/values.tsx';

export function AppSettings({ page }: { readonly page: AppPage }) {
  const { settings, plans } = page;
  const { models, credits, unpriced, streaming, defaultMaxTokens, origin, drift, tags } = settings;
  const named = Object.entries(tags).map(([name, value]) => `${name}: ${value}`);
  return (
    <section>
      <h2>Settings</h2>
      <dl class="facts">
        <dt>Models</dt>
        <dd>{models === null ? 'every model of the catalog' : models.join(', ') || 'none'}</dd>
        <dt>Plan of users</dt>
        <dd>{planText(plans.user)}</dd>
        <dt>Plan of admins</dt>
        <dd>{planText(plans.admin)}</dd>
        <dt>Rate of all keys</dt>
        <dd>
          {settings.ratePerSecond === null ? 'no limit' : `${settings.ratePerSecond} a second`}
        </dd>
        <dt>Keys at most</dt>
        <dd>{settings.keysMax.toLocaleString('en')}</dd>
        <dt>Each user, a day</dt>
        <dd>
          <Usd of={settings.perUserDailyUsd} />
        </dd>
        <dt>Credits</dt>
        <dd>
          {credits === null ? (
            'not metered'
          ) : (
            <>
              {credits.monthlyGrant} a month and user, <Usd of={credits.usdPerCredit} /> each
            </>
          )}
        </dd>
        <dt>Unpriced models</dt>
        <dd>{unpriced ?? 'as configured'}</dd>
        <dt>Streams</dt>
        <dd>{streaming === null ? 'as configured' : streaming ? 'on' : 'off'}</dd>
        <dt>Default of maxTokens</dt>
        <dd>{defaultMaxTokens ?? 'as configured'}</dd>
        <dt>Keeps answers for repeats</dt>
        <dd>{settings.storeAnswers ? 'yes' : 'no'}</dd>
        <dt>Tags</dt>
        <dd>{named.join(', ') || 'none'}</dd>
        <dt>Made by</dt>
        <dd>{origin === 'file' ? 'the configuration file' : 'a command'}</dd>
        {drift.length > 0 && (
          <>
            <dt>Not as the file says</dt>
            <dd>{drift.join('; ')}</dd>
          </>
        )}
      </dl>
    </section>
  );
}

function planText({ ratePerSecond, burst, requestsPerDay }: AppPage['plans']['user']): string {
  const aDay = requestsPerDay.toLocaleString('en');
  return `${ratePerSecond} a second, ${burst} at once, ${aDay} a day`;
}
