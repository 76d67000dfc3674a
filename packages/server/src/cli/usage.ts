import type { UsageAnswer } from '@model-gateway/contract';
import type { Command } from 'commander';
import { usageOfAll, usageOfApp } from '../admin/usage.ts';
import { type CommonOptions, readConfig, type Shell, withApps } from './context.ts';
import { dollars, dollarsOr, factLines, printDocument, tableLines } from './print.ts';
import { withSharedOptions } from './shared-options.ts';
import { readDay } from './values.ts';

interface UsageOptions extends CommonOptions {
  readonly day?: string;
}

/** `usage [APP] [--day D]`: the document of `GET /v1/usage`, or those of every app. */
export function registerUsage(program: Command, shell: Shell): void {
  withSharedOptions(program.command('usage [app]').description('what an app, or each, has spent'))
    .option('--day <day>', 'a UTC day such as 2026-11-21; else today')
    .action((app: string | undefined, _options: unknown, command: Command) =>
      usage(shell, app, command.optsWithGlobals<UsageOptions>()),
    );
}

async function usage(shell: Shell, app: string | undefined, options: UsageOptions) {
  const day = options.day === undefined ? undefined : readDay('--day', options.day);
  const config = readConfig(shell, options);
  if (app === undefined) {
    const reports = await withApps(shell, config, (office) => usageOfAll(office, day));
    printDocument(shell, options, reports, reportsLines);
    return;
  }
  const report = await withApps(shell, config, (office) => usageOfApp(office, app, day));
  printDocument(shell, options, report, reportLines);
}

function reportsLines(reports: readonly UsageAnswer[]): readonly string[] {
  return tableLines(
    ['app', 'day', 'calls', 'errors', 'cost', 'spent', 'held', 'remaining', 'daily budget'],
    reports.map(({ app, day, totals, budget }) => [
      app,
      day,
      String(totals.calls),
      String(totals.errors),
      dollars(totals.costUsd),
      dollarsOr(budget?.spentUsd ?? null, '-'),
      dollarsOr(budget?.heldUsd ?? null, '-'),
      dollarsOr(budget?.remainingUsd ?? null, '-'),
      dollarsOr(budget?.capUsd ?? null, 'none'),
    ]),
    'No app is registered: declare some in the configuration, or use "apps create".',
  );
}

function reportLines(report: UsageAnswer): readonly string[] {
  const { budget, totals } = report;
  const state =
    budget === null
      ? 'none'
      : `$${budget.capUsd}: $${budget.spentUsd} spent, $${budget.heldUsd} held, $${budget.remainingUsd} left until ${budget.resetsAt}`;
  return [
    ...factLines([
      ['app', report.app],
      ['project', report.project],
      ['day', report.day],
      ['budget', state],
      ['calls', `${totals.calls}, of which ${totals.errors} ended in an error`],
      ['cost', `$${totals.costUsd}, of which $${totals.estimatedUsd} is estimated`],
      ['unpriced calls', String(totals.unpricedCalls)],
    ]),
    '',
    ...tableLines(
      ['model', 'calls', 'errors', 'input', 'cached', 'output', 'cost'],
      report.models.map((model) => [
        model.model,
        String(model.calls),
        String(model.errors),
        String(model.inputTokens),
        String(model.cachedInputTokens),
        String(model.outputTokens),
        dollars(model.costUsd),
      ]),
      'No call on this day.',
    ),
  ];
}
