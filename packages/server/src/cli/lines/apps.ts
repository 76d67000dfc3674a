import type { AppDocument } from '../../admin/app-document.ts';
import type { ListedApp } from '../../admin/list-apps.ts';
import { dollarsOr, factLines, tableLines, yesNo } from '../print.ts';

/** The table of `apps list`. */
export function appsLines(apps: readonly ListedApp[]): readonly string[] {
  const table = tableLines(
    ['app', 'enabled', 'daily budget', 'models', 'credits a month', 'origin', 'project'],
    apps.map((app) => [
      app.name,
      yesNo(app.enabled),
      dollarsOr(app.dailyBudgetUsd, 'none'),
      app.models?.join(',') ?? 'all',
      app.credits?.monthlyGrant ?? 'none',
      app.drift.length === 0 ? app.origin : `${app.origin} *`,
      app.project,
    ]),
    'No app is registered: declare some in the configuration, or use "apps create".',
  );
  const notes = apps.flatMap(({ name, drift }) =>
    drift.length === 0 ? [] : [`* ${name} is not as the file says: ${drift.join(', ')}`],
  );
  return notes.length === 0 ? table : [...table, '', ...notes, '"config diff" shows both.'];
}

/** One app, as `apps create` and `apps update` print it. */
export function appLines(app: AppDocument): readonly string[] {
  const { credits } = app;
  return factLines([
    ['app', app.name],
    ['enabled', yesNo(app.enabled)],
    ['daily budget', dollarsOr(app.dailyBudgetUsd, 'none')],
    ['models', app.models?.join(', ') ?? 'all'],
    [
      'credits',
      credits === null
        ? 'not metered'
        : `${credits.monthlyGrant} a month, $${credits.usdPerCredit} each`,
    ],
    ['unpriced models', app.unpriced ?? 'as the configuration says'],
    ['streaming', app.streaming === null ? 'as the configuration says' : yesNo(app.streaming)],
    ['project', app.project],
    ['origin', app.origin === 'file' ? 'configuration file' : 'command line'],
  ]);
}
