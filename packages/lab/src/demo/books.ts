import { formatUsd, parseUsd } from '@model-gateway/server/lib/money';
import { AdminError } from '@model-gateway/server/operations/context/admin-error';
import { usageOfAll } from '@model-gateway/server/operations/reports/usage';
import { audit } from '@model-gateway/server/store/audit/audit';
import { answered, type StepGroup } from './step.ts';

export const bookSteps: StepGroup = {
  title: 'The ledger',
  steps: [
    {
      id: 'bill',
      title: "The platform's bill and the gateway's ledger agree",
      expected: answered,
      async run({ admin, service, simulator }) {
        await service.runner.detached.empty();
        const reports = await usageOfAll(admin, undefined);
        const sum = (amounts: readonly string[]) =>
          amounts.reduce((total, amount) => total + (parseUsd(amount) ?? 0n), 0n);
        const booked = sum(reports.map(({ totals }) => totals.costUsd));
        const estimated = sum(reports.map(({ totals }) => totals.estimatedUsd));
        const billed = simulator.bill().total.costPicoUsd;
        if (booked - estimated !== billed) {
          throw new AdminError(
            `the platform billed $${formatUsd(billed)}, and the ledger has $${formatUsd(booked - estimated)}`,
          );
        }
        return `billed: $${formatUsd(billed)}; booked: the same, and $${formatUsd(estimated)} as the maximum cost of the call without a response`;
      },
    },
    {
      id: 'audit',
      title: 'Every invariant of the ledger holds',
      expected: answered,
      async run({ admin }) {
        const { clean, checks } = await audit(admin.store, admin.clock.now());
        const broken = checks.filter(({ ok }) => !ok).map(({ id }) => id);
        if (!clean) throw new AdminError(`the ledger breaks ${broken.join(', ')}`);
        return `${checks.length} rules, no breach`;
      },
    },
  ],
};
