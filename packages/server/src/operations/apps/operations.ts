import { app, count, optional } from '../field.ts';
import { type Noun, operation } from '../operation.ts';
import { readAppPage } from '../reports/app-page.ts';
import { refusalsOfApp } from '../reports/refusals.ts';
import { masked } from '../seen.ts';
import { settingsTag } from './app-document.ts';
import { appRow } from './apps.ts';
import { appsLines } from './lines.ts';
import { listApps } from './list-apps.ts';

const list = operation({
  name: 'apps list',
  about: 'list every app with its settings, by name',
  right: 'look',
  http: ['GET /apps'],
  apps: 'own',
  needs: ['fileApps'],
  result: async () => (await import('./documents.ts')).ListedApps,
  run: async ({ admin, fileApps, who }) =>
    (await listApps(admin, fileApps)).filter(({ name }) => who.apps?.includes(name) !== false),
  lines: appsLines,
});

const show = operation({
  name: 'apps show',
  about:
    'show one app: settings, usage, forecast, refusals, runs; its ETag changes with its settings',
  right: 'look',
  http: ['GET /apps/:app'],
  apps: 'own',
  needs: ['served', 'reads'],
  input: { app: app('its name') },
  commands: [],
  result: async () => (await import('./documents.ts')).AppPage,
  etag: ({ settings }) => `"${settingsTag(settings)}"`,
  async run({ admin, who, served, reads }, input) {
    const parts = { config: served, curves: await reads.curves(), isTeam: who.apps !== undefined };
    const page = await readAppPage(admin, input.app, parts);
    return { ...page, runs: page.runs.map((run) => masked(who, admin.store.ring, run)) };
  },
});

const refusals = operation({
  name: 'apps refusals',
  about: 'list what was refused of an app, by hour and reason, the newest first',
  right: 'look',
  http: ['GET /apps/:app/refusals'],
  apps: 'own',
  input: {
    app: app('its name'),
    hours: optional(count(840, 'of how many hours, up to 840 (24)')),
  },
  commands: [],
  result: async () => (await import('../reports/refusals-documents.ts')).Refusals,
  async run({ admin }, { hours = 24, ...input }) {
    await appRow(admin, input.app);
    return refusalsOfApp(admin, input.app, hours);
  },
});

/** The apps that may call. */
export const apps: Noun = {
  name: 'apps',
  about: 'the apps that may call, and their limits',
  operations: [list, show, refusals],
};
