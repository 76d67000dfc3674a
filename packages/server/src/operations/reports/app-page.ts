import type { AppConfig } from '../../domain/app.ts';
import type { Config } from '../../domain/config.ts';
import { utcDayOf } from '../../lib/clock.ts';
import { listApps, settingsTag } from '../apps/app-document.ts';
import { appRow } from '../apps/apps.ts';
import { type AdminContext, withOperatorReads } from '../context/context.ts';
import type { Curves } from '../context/live-state.ts';
import { maskRow } from '../context/masking.ts';
import { app, count, optional } from '../description/field.ts';
import { type Operation, operation } from '../description/operation.ts';
import type { AppPage } from '../documents/apps.ts';
import { listBindings } from '../projects/bindings.ts';
import { listRuns } from '../runs/operations.ts';
import { appToday, readDays } from './overview.ts';
import { refusalsOfApp } from './refusals.ts';
import { usageOfApp } from './usage.ts';

const show = operation({
  name: 'apps show',
  about:
    'show one app: settings, usage, forecast, rejections, runs; its ETag changes with its settings',
  right: 'look',
  http: ['GET /apps/:app'],
  apps: 'own',
  needs: ['served', 'reads'],
  input: { app: app('app name') },
  commands: [],
  result: async () => (await import('../documents/apps.ts')).AppPage,
  etag: ({ settings }) => `"${settingsTag(settings)}"`,
  async run({ admin, session, served, reads }, input) {
    const parts = {
      config: served,
      curves: await reads.curves(),
      isTeam: session.apps !== undefined,
    };
    const page = await readAppPage(admin, input.app, parts);
    return { ...page, runs: page.runs.map((run) => maskRow(session, admin.store.ring, run)) };
  },
});

const refusals = operation({
  name: 'apps refusals',
  about: 'list rejected requests of an app by hour and reason, newest first',
  right: 'look',
  http: ['GET /apps/:app/refusals'],
  apps: 'own',
  input: {
    app: app('app name'),
    hours: optional(count(840, 'number of hours, up to 840 (default: 24)')),
  },
  commands: [],
  result: async () => (await import('../documents/reports.ts')).Refusals,
  async run({ admin }, { hours = 24, ...input }) {
    await appRow(admin, input.app);
    return refusalsOfApp(admin, input.app, hours);
  },
});

export const appReports: readonly Operation[] = [show, refusals];

const daysShown = 30;
const dayMs = 86_400_000;

/** Throws an AdminError for an unknown app. */
export async function readAppPage(
  operator: AdminContext,
  name: string,
  parts: {
    readonly config: Pick<Config, 'apps' | 'plans'>;
    readonly curves: Curves;
    /** A team sees the same part of a group as its app. */
    readonly isTeam: boolean;
  },
): Promise<AppPage> {
  const { config, curves, isTeam } = parts;
  const context = withOperatorReads(operator);
  const row = await appRow(context, name);
  const nowMs = context.clock.now();
  const day = utcDayOf(nowMs);
  const settings = await settingsOf(context, name, config.apps);
  const usage = await usageOfApp(context, name, undefined, isTeam ? 'app' : 'operator');
  const days = await readDays(context, day);
  const { heldUsd, forecast } = appToday(row, { nowMs, day, curves, days });
  const bindings = await listBindings(context);
  return {
    ...{ settings, usage, heldUsd, forecast, plans: { ...config.plans, ...row.plans } },
    projects: bindings.filter(({ app }) => app === name),
    refusals: await refusalsOfApp(context, name, 24),
    days: everyDay(usage.history, day),
    runs: await listRuns(context, name),
  };
}

async function settingsOf(context: AdminContext, name: string, declared: readonly AppConfig[]) {
  const listed = (await listApps(context, declared)).find((app) => app.name === name);
  // The app has just been read, and apps are never deleted.
  if (listed === undefined) throw new Error(`the app ${name} no longer exists`);
  return listed;
}

function everyDay(history: AppPage['usage']['history'], today: string): AppPage['days'] {
  const known = new Map(history.map((row) => [row.day, row]));
  return Array.from({ length: daysShown }, (_, index) => {
    const ms = Date.parse(today) - (daysShown - 1 - index) * dayMs;
    const day = new Date(ms).toISOString().slice(0, 10);
    return known.get(day) ?? { day, costUsd: '0', calls: 0 };
  });
}
