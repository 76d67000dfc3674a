import { LlmError } from '@model-gateway/sdk';
import type { CommandContext, CommonOptions } from '@model-gateway/server/cli/process/context';
import { printDocument } from '@model-gateway/server/cli/process/print';
import { withSharedOptions } from '@model-gateway/server/cli/process/shared-options';
import { AdminError } from '@model-gateway/server/operations/context/admin-error';
import type { Command } from 'commander';
import { bookSteps } from './books.ts';
import { callSteps } from './calls.ts';
import { type DemoReport, reportLines, type StepReport } from './report.ts';
import { type DemoStack, withDemoStack } from './stack.ts';
import { answered, chatOf, type DemoStep, refused, type StepGroup } from './step.ts';

const budgetSteps: StepGroup = {
  title: 'Daily budgets',
  steps: [
    {
      id: 'budget',
      title: 'A call that could cost more than the remaining budget (here: $0.001)',
      expected: { status: 429, code: 'BUDGET_EXCEEDED' },
      async run(stack) {
        return refused((await stack.client('thrifty')).chat(chatOf('sim-echo', 16_000)));
      },
    },
    {
      id: 'budget-that-fits',
      title: 'The same call with fewer tokens fits',
      expected: answered,
      async run(stack) {
        const { cost } = await (await stack.client('thrifty')).chat(chatOf('sim-echo', 100));
        return `it cost $${cost.usd}, and the rest of the reservation is free again`;
      },
    },
    {
      id: 'unpriced-model',
      title: 'A model without a price, for an app that requires prices',
      expected: { status: 400, code: 'MODEL_NOT_PRICED' },
      async run(stack) {
        return refused((await stack.client('exact')).chat(chatOf('sim-unpriced', 100)));
      },
    },
  ],
};

const keySteps: StepGroup = {
  title: 'Rejected keys and apps',
  steps: [
    {
      id: 'unknown-key',
      title: 'A key that was never issued',
      expected: { status: 403, code: 'FORBIDDEN' },
      run: (stack) => refused(stack.clientOfText('a-key-that-was-never-issued').models()),
    },
    {
      id: 'odd-key-name',
      title: 'A key whose name does not contain its role and app',
      expected: { status: 401, code: 'UNAUTHORIZED' },
      async run(stack) {
        return refused((await stack.clientOfName('key of search', 'search')).models());
      },
    },
    {
      id: 'unregistered-app',
      title: 'A key of an app that is not registered',
      expected: { status: 403, code: 'NO_SERVICE' },
      async run(stack) {
        const name = 'llm::user::ghost::team@demo.example';
        return refused((await stack.clientOfName(name, 'ghost')).models());
      },
    },
    {
      id: 'disabled-app',
      title: 'An app that an operator disabled',
      expected: { status: 403, code: 'DISABLED' },
      async run(stack) {
        return refused((await stack.client('retired')).models());
      },
    },
  ],
};

const modelSteps: StepGroup = {
  title: 'Models and their limits',
  steps: [
    {
      id: 'model-allow-list',
      title: 'A model that is not in the list of the app',
      expected: { status: 403, code: 'MODEL_NOT_ALLOWED' },
      async run(stack) {
        return refused((await stack.client('picky')).chat(chatOf('sim-reasoning', 100)));
      },
    },
    {
      id: 'output-limit',
      title: 'A response that does not fit maxTokens',
      expected: { status: 422, code: 'TRUNCATED' },
      async run(stack) {
        return refused((await stack.client('search')).chat(chatOf('sim-truncated', 20)));
      },
    },
    {
      id: 'platform-quota',
      title: "The platform's own quota, still used up after retries",
      expected: { status: 429, code: 'THROTTLED' },
      async run(stack) {
        return refused((await stack.client('search')).chat(chatOf('sim-throttled', 100)));
      },
    },
    {
      id: 'model-time',
      title: 'A model that exceeds the time limit (here: 1 s)',
      expected: { status: 504, code: 'TIMEOUT' },
      async run(stack) {
        return refused((await stack.client('search')).chat(chatOf('sim-timeout', 100)));
      },
    },
  ],
};

const requestLimitSteps: StepGroup = {
  title: 'Request limits',
  steps: [
    {
      id: 'rate',
      title: 'More requests at once than the rate limit of the key (here: 1)',
      expected: { status: 429, code: 'TOO_MANY_REQUESTS' },
      async run(stack) {
        const client = await stack.client('hasty');
        await client.models();
        return refused(client.models());
      },
    },
    {
      id: 'daily-quota',
      title: 'More requests in a day than the quota of the key (here: 1)',
      expected: { status: 429, code: 'LIMIT_EXCEEDED' },
      async run(stack) {
        const client = await stack.client('modest');
        await client.models();
        return refused(client.models());
      },
    },
    {
      id: 'body-size',
      title: 'A body above the limit (here: 4,096 bytes)',
      expected: { status: 413, code: 'REQUEST_TOO_LONG' },
      async run(stack) {
        const content = 'x'.repeat(5_000);
        const request = {
          ...chatOf('sim-echo', 100),
          messages: [{ role: 'user', content } as const],
        };
        return refused((await stack.client('search')).chat(request));
      },
    },
  ],
};

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
    program.command('demo').description('run a guided demo on a temporary store and configuration'),
  ).action((_options: unknown, command: Command) =>
    demo(context, command.optsWithGlobals<CommonOptions>()),
  );
}

async function demo(context: CommandContext, options: CommonOptions) {
  const report = await withDemoStack(context, runGroups);
  printDocument(context, options, report, reportLines);
  if (report.ok) return;
  const failed = report.steps.filter(({ ok }) => !ok).map(({ id }) => id);
  throw new AdminError(`the demo failed; see the steps ${failed.join(', ')}`);
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
