/** Limits are so low that each is met at once. */
export const demoYaml = `
company: demo
store: sqlite:./gateway.db
limits: { modelCallMs: 1000, drainMs: 50, bodyBytes: 4096 }
retry: { attempts: 2, baseMs: 1, capMs: 2 }
platforms:
  sandbox: { kind: simulator }
apps:
  - { name: search, dailyBudgetUsd: "5" }
  - { name: thrifty, dailyBudgetUsd: "0.001" }
  - { name: hasty, plans: { user: { ratePerSecond: 0.001, burst: 1 } } }
  - { name: modest, plans: { user: { requestsPerDay: 1 } } }
  - { name: picky, models: [sim-echo] }
  - { name: exact, unpriced: refuse }
  - { name: retired, enabled: false }
`;

export type DemoApp = 'search' | 'thrifty' | 'hasty' | 'modest' | 'picky' | 'exact' | 'retired';
