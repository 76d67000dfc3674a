import type { AppChanged, AppsPage, ListedApp } from '@model-gateway/server/operations/documents';

/** An app from the file, with every setting. */
export const search: ListedApp = {
  ...{ name: 'search', enabled: true, dailyBudgetUsd: '50', monthlyBudgetUsd: '900.5' },
  ...{ perUserDailyUsd: '0.75', models: ['gpt-5.4', 'claude-opus'] },
  ...{ credits: { monthlyGrant: '400', usdPerCredit: '0.02' }, unpriced: 'refuse' },
  ...{ requirePriced: true, streaming: false, defaultMaxTokens: 2_048, storeAnswers: true },
  ...{ adoptRetries: false, project: 'acme-search', plans: {}, tags: { team: 'finders' } },
  ...{ ratePerSecond: 20, keysMax: 1_500 },
  ...{ origin: 'file', drift: ['dailyBudgetUsd: 50, the file has 20'] },
};

/** An app from a command, without settings. */
export const tutor: ListedApp = {
  ...{ name: 'tutor', enabled: false, dailyBudgetUsd: null, monthlyBudgetUsd: null },
  ...{ perUserDailyUsd: null, models: null, credits: null, unpriced: null },
  ...{ requirePriced: false, streaming: null, defaultMaxTokens: null, storeAnswers: false },
  ...{ adoptRetries: false, project: 'acme-tutor', plans: {}, tags: {} },
  ...{ ratePerSecond: null, keysMax: 1_000 },
  ...{ origin: 'command', drift: [] },
};

export const apps: AppsPage = { items: [search, tutor], after: null };

export const noApps: AppsPage = { items: [], after: null };

const { drift: _, ...settings } = search;

/** The change of a budget to 80 USD. */
export const appChanged: AppChanged = {
  dryRun: false,
  changes: [
    {
      ...{ action: 'app.update', subject: 'search' },
      ...{ before: '{"dailyBudgetUsd":"50"}', after: '{"dailyBudgetUsd":"80"}' },
    },
  ],
  result: {
    app: { ...settings, dailyBudgetUsd: '80' },
    today: {
      before: { capUsd: '50', spentUsd: '48.109', heldUsd: '1.2', remainingUsd: '0.691' },
      after: { capUsd: '80', spentUsd: '48.109', heldUsd: '1.2', remainingUsd: '30.691' },
    },
    grant: null,
    capped: null,
    file: [{ setting: 'dailyBudgetUsd', store: '80', file: '20' }],
    note: 'The next start reports that the file has 20.',
  },
};
