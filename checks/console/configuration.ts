const models = {
  'gpt-5.4': ['1.25', '0.125', '10'],
  'gpt-5.4-mini': ['0.25', '0.025', '2'],
  'claude-sonnet-4-6': ['3', '0.3', '15'],
  'claude-haiku-4-5': ['1', '0.1', '5'],
  'mistral-large': ['0.5', '0.05', '1.5'],
} as const;

/**
 * A company whose apps have everything that the console shows: budgets, groups, credits, or none of
 * them.
 */
export const configuration = {
  company: 'acme',
  adminEmail: 'admin@acme.example',
  admin: { host: '127.0.0.1', port: 0 },
  platforms: { sandbox: { kind: 'simulator' } },
  models: Object.entries(models).map(([id, [input, cached, output]]) => ({
    ...{ id, platform: 'sandbox', upstreamModel: 'sim-echo', speaks: ['chat'] },
    ...{ inputUsdPerMillion: input, cachedInputUsdPerMillion: cached, outputUsdPerMillion: output },
    ...{ contextTokens: 200_000, maxOutputTokens: 8_000 },
  })),
  apps: [
    { name: 'search', dailyBudgetUsd: '250' },
    { name: 'support', dailyBudgetUsd: '120', monthlyBudgetUsd: '4000' },
    { name: 'assistant' },
    { name: 'reports', dailyBudgetUsd: '90' },
    // Stories raise it: one with the mouse, one with the keyboard.
    { name: 'small', dailyBudgetUsd: '0.000001' },
    { name: 'tiny', dailyBudgetUsd: '0.000001' },
    // A story checks the reason of its rejection.
    { name: 'strict', dailyBudgetUsd: '0.000001' },
    {
      ...{ name: 'tutor', dailyBudgetUsd: '0.000001' },
      credits: { monthlyGrant: '100', usdPerCredit: '0.01' },
    },
  ],
  budgets: [{ name: 'research', apps: ['search', 'reports'], dailyUsd: '300', visible: true }],
};

/** The models in a check's ledger. */
export const modelIds: readonly string[] = Object.keys(models);

/** The apps in a check's ledger: the apps without wallets. */
export const filledApps: readonly string[] = ['search', 'support', 'assistant', 'reports'];
