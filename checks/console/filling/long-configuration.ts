import { configuration } from '../configuration.ts';

/** The longest names that the configuration accepts. */
export const longApp = `a-${'name-of-an-app-at-full-length-'.repeat(3)}`.slice(0, 63);
export const longModel = `ft:${'gpt-5.4-mini-2026-11-01-'.repeat(6)}`.slice(0, 128);
/** A call of this model costs $0.00000001, and of the other $987.65. */
export const cheapModel = 'cheap';
export const dearModel = 'dear';

const apps = 2_000;
const model = {
  ...{ platform: 'sandbox', upstreamModel: 'sim-echo', speaks: ['chat'] },
  ...{ contextTokens: 200_000, maxOutputTokens: 8_000 },
};
const free = { inputUsdPerMillion: '0', outputUsdPerMillion: '0' };

/** The maximum of everything that the console must show. */
export const longConfiguration = {
  ...configuration,
  models: [
    ...configuration.models,
    { ...model, id: longModel, inputUsdPerMillion: '1', outputUsdPerMillion: '1' },
    { ...model, ...free, id: cheapModel, perRequestUsd: '0.00000001' },
    { ...model, ...free, id: dearModel, perRequestUsd: '987.65' },
  ],
  apps: [
    ...configuration.apps,
    { name: longApp, dailyBudgetUsd: '1234567.89', monthlyBudgetUsd: '9000000' },
    ...Array.from({ length: apps }, (_, index) => ({
      name: `team-${String(index).padStart(4, '0')}`,
      ...(index % 3 === 0 ? {} : { dailyBudgetUsd: `${1 + (index % 90)}.50` }),
    })),
  ],
  notify: [
    {
      ...{ name: 'finance', url: 'https://hooks.acme.example/model-gateway/finance' },
      secret: `whsec_${Buffer.alloc(32, 1).toString('base64')}`,
      events: [
        ...['budget.threshold', 'budget.refused', 'budget.forecast', 'budget.overrun'],
        ...['budget.closed', 'platform.circuit_opened', 'key.expiring', 'price.mismatch'],
        'audit.breach',
      ],
    },
  ],
};

/** Only a platform. */
export const emptyConfiguration = {
  company: 'acme',
  adminEmail: 'admin@acme.example',
  admin: { host: '127.0.0.1', port: 0 },
  platforms: { sandbox: { kind: 'simulator' } },
};
