import { openStack } from '../../test/support/stack.ts';
import { findings } from './auditor.ts';
import { troubledPlatform } from './platform.ts';
import { createSeeded, type Seeded } from './seeded.ts';
import { type PlantedBug, troubledStore } from './troubled-store.ts';
import { runWorkload } from './workload.ts';

const yaml = `
company: acme
store: sqlite:./gateway.db
platforms: { sandbox: { kind: simulator } }
plans: { user: { ratePerSecond: 100000, burst: 100000, requestsPerDay: 100000000 } }
apps:
  - { name: search, dailyBudgetUsd: "0.012" }
  - { name: tutor, dailyBudgetUsd: "0.012", credits: { monthlyGrant: "0.4", usdPerCredit: "0.01" } }
`;

/** Long enough for every detached call, expiry and repeated settlement to end. */
const afterwardsMs = 300_000;

/**
 * The whole gateway in one process on a test clock. The platform and the store fail before and
 * after they act, callers disconnect, keys repeat. Returns the auditor's findings.
 */
export async function simulate(
  seed: number,
  options: { readonly plant?: (seeded: Seeded) => PlantedBug } = {},
): Promise<{ readonly found: readonly string[]; readonly answered: number }> {
  const seeded = createSeeded(seed);
  const bug = options.plant?.(createSeeded(seed + 1));
  const stack = await openStack({
    yaml,
    script: troubledPlatform(seeded),
    wrapStore: (store) => troubledStore(store, seeded, bug),
  });
  try {
    const records = await runWorkload(stack, seeded, { callers: 12, calls: 12 });
    await stack.clock.advance(afterwardsMs);
    const found = await findings(stack, records);
    return { found, answered: records.filter(({ status }) => status === 200).length };
  } finally {
    await stack.close();
  }
}
