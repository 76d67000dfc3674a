import type { UsageAnswer } from '@model-gateway/contract';
import type { AppConfig } from '../../domain/app.ts';
import type { Config } from '../../domain/config.ts';
import type { Plans } from '../../domain/plan.ts';
import { utcDayOf } from '../../lib/clock.ts';
import { appRow } from '../apps/apps.ts';
import { type ListedApp, listApps } from '../apps/list-apps.ts';
import { type AdminContext, readingAside } from '../context.ts';
import { listBindings, type ProjectBinding } from '../projects/bindings.ts';
import type { RunDocument } from '../runs/documents.ts';
import { listRuns } from '../runs/runs.ts';
import type { Curves } from './curves.ts';
import { appToday, readDays } from './overview.ts';
import type { AtThisPace } from './pace.ts';
import { type Refusal, refusalsOfApp } from './refusals.ts';
import { usageOfApp } from './usage.ts';

/** Everything about one app. */
export interface AppPage {
  readonly settings: ListedApp;
  readonly usage: UsageAnswer;
  readonly heldUsd: string;
  readonly atThisPace: AtThisPace;
  /** In force: its own, else those of the configuration. */
  readonly plans: Plans;
  readonly projects: readonly ProjectBinding[];
  /** Of the last 24 hours, the newest first. */
  readonly refusals: readonly Refusal[];
  /** The last 30 days, the oldest first. */
  readonly days: readonly {
    readonly day: string;
    readonly costUsd: string;
    readonly calls: number;
  }[];
  readonly runs: readonly RunDocument[];
}

const daysShown = 30;
const dayMs = 86_400_000;

/** What the page of an app shows. Throws an AdminError where there is none. */
export async function readAppPage(
  operator: AdminContext,
  name: string,
  parts: {
    readonly config: Pick<Config, 'apps' | 'plans'>;
    readonly curves: Curves;
    /** A team is told of a group what its app would be told. */
    readonly isTeam: boolean;
  },
): Promise<AppPage> {
  const { config, curves, isTeam } = parts;
  const context = readingAside(operator);
  const row = await appRow(context, name);
  const nowMs = context.clock.now();
  const day = utcDayOf(nowMs);
  const settings = await settingsOf(context, name, config.apps);
  const usage = await usageOfApp(context, name, undefined, isTeam ? 'app' : 'operator');
  const days = await readDays(context, day);
  const at = { nowMs, day, curves, budget: days.budget };
  const { heldUsd, atThisPace } = appToday(row, days.of(name), at);
  const bindings = await listBindings(context);
  return {
    ...{ settings, usage, heldUsd, atThisPace, plans: { ...config.plans, ...row.plans } },
    projects: bindings.filter(({ app }) => app === name),
    refusals: await refusalsOfApp(context, name, 24),
    days: everyDay(usage.history, day),
    runs: await listRuns(context, name),
  };
}

async function settingsOf(context: AdminContext, name: string, declared: readonly AppConfig[]) {
  const listed = (await listApps(context, declared)).find((app) => app.name === name);
  // It was there a moment ago, and none is ever deleted.
  if (listed === undefined) throw new Error(`the app ${name} is gone`);
  return listed;
}

function everyDay(history: UsageAnswer['history'], today: string): AppPage['days'] {
  const known = new Map(history.map((row) => [row.day, row]));
  return Array.from({ length: daysShown }, (_, index) => {
    const ms = Date.parse(today) - (daysShown - 1 - index) * dayMs;
    const day = new Date(ms).toISOString().slice(0, 10);
    return known.get(day) ?? { day, costUsd: '0', calls: 0 };
  });
}
