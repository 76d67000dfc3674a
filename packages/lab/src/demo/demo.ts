import { LlmError } from '@model-gateway/sdk';
import type { CommandContext, CommonOptions } from '@model-gateway/server/cli/process/context';
import { printDocument } from '@model-gateway/server/cli/process/print';
import { withSharedOptions } from '@model-gateway/server/cli/process/shared-options';
import { AdminError } from '@model-gateway/server/operations/context/admin-error';
import type { Command } from 'commander';
import { bookSteps } from './books.ts';
import { budgetSteps } from './budgets.ts';
import { callSteps } from './calls.ts';
import { keySteps } from './keys.ts';
import { modelSteps } from './models.ts';
import { type DemoReport, reportLines, type StepReport } from './report.ts';
import { requestLimitSteps } from './request-limits.ts';
import { type DemoStack, withDemoStack } from './stack.ts';
import type { DemoStep, StepGroup } from './step.ts';

/** The books come last, since they close everything. */
const groups: readonly StepGroup[] = [
  callSteps,
  keySteps,
  requestLimitSteps,
  budgetSteps,
  modelSteps,
  bookSteps,
];

export function registerDemo(program: Command, context: CommandContext): void {
  withSharedOptions(
    program
      .command('demo')
      .description('show what the gateway does, on a store and a configuration of its own'),
  ).action((_options: unknown, command: Command) =>
    demo(context, command.optsWithGlobals<CommonOptions>()),
  );
}

async function demo(context: CommandContext, options: CommonOptions) {
  const report = await withDemoStack(context, runGroups);
  printDocument(context, options, report, reportLines);
  if (report.ok) return;
  const odd = report.steps.filter(({ ok }) => !ok).map(({ id }) => id);
  throw new AdminError(`the demo did not go as it must: look at ${odd.join(', ')}`);
}

async function runGroups(stack: DemoStack): Promise<DemoReport> {
  const steps: StepReport[] = [];
  for (const { title, steps: ofGroup } of groups) {
    for (const step of ofGroup) steps.push({ group: title, ...(await runStep(step, stack)) });
  }
  return { ok: steps.every(({ ok }) => ok), steps };
}

async function runStep(step: DemoStep, stack: DemoStack): Promise<Omit<StepReport, 'group'>> {
  const { id, title, expected } = step;
  const { status, code, says } = await outcomeOf(step, stack);
  const ok = status === expected.status && code === expected.code;
  return { id, title, status, code, says, ok };
}

async function outcomeOf(step: DemoStep, stack: DemoStack) {
  try {
    return { status: 200, code: 'OK', says: await step.run(stack) };
  } catch (error) {
    if (LlmError.is(error)) return { status: error.status, code: error.code, says: error.message };
    if (error instanceof AdminError) return { status: 0, code: 'WRONG', says: error.message };
    throw error;
  }
}
