import { Gauge, type Registry } from 'prom-client';
import { roleOf } from '../domain/key-name.ts';
import type { Plans } from '../domain/plan.ts';
import type { App } from '../domain/registered-app.ts';
import { sameOnAll } from './merge-metrics.ts';
import type { StoreMetrics } from './store-metrics.ts';

export interface PlanParts {
  readonly amounts: () => Promise<StoreMetrics | undefined>;
  readonly apps: () => readonly App[];
  readonly plans: () => Plans;
}

/**
 * For each app and role, shows the most used key. Quota that a replica leased in advance counts as
 * used.
 */
export function addPlanMetrics(registry: Registry, parts: PlanParts): void {
  const { amounts, apps, plans } = parts;
  new Gauge({
    name: 'model_gateway_quota_remaining_ratio',
    help: 'Remaining part (0 to 1) of requestsPerDay for the busiest key of an app and role, today. Reserved requests count as used; unused keys are absent',
    labelNames: ['app', 'role'] as const,
    ...{ registers: [registry], ...sameOnAll },
    async collect() {
      const uses = (await amounts())?.planUses ?? [];
      const appByName = new Map(apps().map((app) => [app.name, app]));
      this.reset();
      const least = new Map<string, number>();
      for (const { name, customerId, used } of uses) {
        const app = appByName.get(customerId);
        if (app === undefined) continue;
        const role = roleOf({ name, customerId }) ?? 'user';
        const { requestsPerDay } = app.plans[role] ?? plans()[role];
        const remaining = Math.max(0, 1 - used / requestsPerDay);
        const key = `${role} ${customerId}`;
        if (remaining >= (least.get(key) ?? Number.POSITIVE_INFINITY)) continue;
        least.set(key, remaining);
        this.set({ app: customerId, role }, remaining);
      }
    },
  });
}
