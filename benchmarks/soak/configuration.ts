/** The simulator's models in the soak, and a model without a price. */
export const soakModels = [
  ...['sim-echo', 'sim-reasoning', 'sim-slow', 'sim-timeout', 'sim-truncated', 'sim-no-usage'],
  ...['sim-bad-json', 'sim-wrong-tool', 'sim-flaky', 'sim-throttled', 'sim-down', 'sim-rejects'],
  ...['sim-reset', 'sim-reset-mid-body', 'sim-html', 'sim-gateway-timeout'],
] as const;

export type SoakModel = (typeof soakModels)[number];

/** The apps of the soak: one for each way in which a call can be admitted or rejected. */
export const soakApps = ['search', 'tutor', 'poor', 'slow-plan', 'narrow'] as const;

export type SoakApp = (typeof soakApps)[number];

const small = { ratePerSecond: 2, burst: 2, requestsPerDay: 1_000_000 };
const large = { ratePerSecond: 100_000, burst: 100_000, requestsPerDay: 1_000_000_000 };

/**
 * A service with short limits. Time-outs, detached calls and forgotten keys reach a balance within
 * a minute. Growth after that never ends.
 */
export function soakConfiguration(parts: {
  readonly simulatorUrl: string;
  readonly store: string;
}) {
  const prices = { inputUsdPerMillion: '0.15', outputUsdPerMillion: '0.60' };
  return {
    company: 'soak',
    listen: { host: '127.0.0.1', port: 0 },
    admin: { host: '127.0.0.1', port: 0 },
    store: parts.store,
    limits: { modelCallMs: 1_500, gatewayMs: 2_500, drainMs: 3_000, idempotencyMs: 30_000 },
    retry: { attempts: 3, baseMs: 50, capMs: 400 },
    platforms: {
      simulator: {
        kind: 'openai-compatible',
        baseUrl: `${parts.simulatorUrl}/v1`,
        apiKey: 'none',
      },
    },
    defaultPlatform: 'simulator',
    plans: { user: large, admin: large },
    models: soakModels.map((id) => {
      return { id, platform: 'simulator', ...prices, maxOutputTokens: 16_384 };
    }),
    apps: [
      { name: 'search', dailyBudgetUsd: '1000000' },
      { name: 'tutor', credits: { monthlyGrant: '1000000', usdPerCredit: '0.01' } },
      { name: 'poor', dailyBudgetUsd: '0.00000001' },
      { name: 'slow-plan', dailyBudgetUsd: '1000000', plans: { user: small, admin: small } },
      { name: 'narrow', dailyBudgetUsd: '1000000', models: ['sim-echo'] },
    ],
  };
}
