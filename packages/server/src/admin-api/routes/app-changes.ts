import { type NamedSettings, readAppSettings } from '../../config/app-settings.ts';
import type { AppSettings } from '../../domain/app.ts';
import { settingsTag } from '../../operations/apps/app-document.ts';
import { appRow, ChangedAppError, createApp, updateApp } from '../../operations/apps/apps.ts';
import { capToday } from '../../operations/apps/cap-today.ts';
import { ConsoleError } from '../../operations/console-error.ts';
import type { AdminContext } from '../../operations/context.ts';
import { AppChange, AppChanged, AppCreation } from '../../operations/documents.ts';
import { type AppPreview, besideFile, previewApp } from '../../operations/reports/app-preview.ts';
import { type AnyRoute, type Asked, route } from '../route.ts';
import { answerChange, invalid, ofField, requireConfirmed } from './change.ts';

/** What creates and changes apps. */
export const appChanges: readonly AnyRoute[] = [
  route({
    method: 'POST',
    path: '/admin/v1/apps',
    action: 'operate',
    apps: 'all',
    summary: 'Registers an app',
    body: AppCreation,
    answer: AppChanged,
    async handle(asked) {
      const { config, body } = asked;
      const settings = readSettings(asked, body.settings ?? {});
      const make = async (admin: AdminContext): Promise<AppPreview> => {
        const app = await ofField('name', createApp(admin, body.name, settings));
        const none = { settings: {}, isToday: false };
        return { ...(await previewApp(admin, body.name, none, config.apps)), app };
      };
      const answer = await answerChange(asked, body, { make });
      if (answer.result === null) return { body: answer };
      return { body: answer, etag: etagOf(answer.result.app), status: 201 };
    },
  }),
  route({
    method: 'PATCH',
    path: '/admin/v1/apps/:app',
    action: 'operate',
    apps: { named: 'path' },
    summary: 'Changes the settings that are named, if nobody has changed any since `If-Match`',
    body: AppChange,
    answer: AppChanged,
    async handle(asked) {
      const { body, parameters } = asked;
      const name = parameters.app;
      const settings = readSettings(asked, body.settings);
      if (Object.keys(settings).length === 0) throw invalid('settings', 'name at least one');
      const isDangerous = settings.enabled === false && body.dryRun !== true;
      if (isDangerous) requireConfirmed(body.confirm, name);
      const change = { settings, isToday: body.until !== undefined };
      const cap = change.isToday ? capOf(settings) : undefined;
      const expected = expectedOf(asked);
      const preview = (admin: AdminContext) => previewApp(admin, name, change, asked.config.apps);
      const write = (admin: AdminContext) =>
        cap === undefined
          ? updateApp(admin, name, settings, expected)
          : capToday(admin, name, cap, expected);
      const answer = await answerChange(asked, body, {
        async make(admin) {
          const made = await preview(admin);
          await write(admin);
          const row = await appRow(admin, name);
          return { ...made, ...besideFile(row, asked.config.apps) };
        },
      }).catch(tellWhatItIs);
      const result = answer.result ?? (await preview(asked.admin));
      return { body: { ...answer, result }, etag: etagOf(result.app) };
    },
  }),
];

/** The `ETag` of an app's settings. */
export function etagOf(app: AppPreview['app']): string {
  return `"${settingsTag(app)}"`;
}

/** The state that a change was decided on; undefined for `*`, whichever it is. */
function expectedOf({ ifMatch }: Pick<Asked, 'ifMatch'>): string | undefined {
  if (ifMatch === '*') return undefined;
  const [, tag] = /^"([^"]*)"$/.exec(ifMatch ?? '') ?? [];
  if (tag !== undefined) return tag;
  throw invalid('if-match', 'send the ETag of the app as it was when the change was decided, or *');
}

function readSettings({ config }: Pick<Asked, 'config'>, named: NamedSettings) {
  const read = readAppSettings('settings', named, config.plans);
  if ('settings' in read) return read.settings;
  const [problem = ''] = read.problems;
  const at = problem.indexOf(': ');
  throw invalid(problem.slice(0, at), problem.slice(at + 2));
}

/** What a change of today alone sets. */
function capOf({ dailyBudgetPicoUsd: cap, ...others }: Partial<AppSettings>): bigint {
  if (cap !== undefined && Object.keys(others).length === 0) return cap;
  throw invalid('until', 'needs dailyBudgetUsd with an amount, and no other setting beside it');
}

function tellWhatItIs(error: unknown): never {
  if (!(error instanceof ChangedAppError)) throw error;
  throw new ConsoleError('CHANGED', error.message, { now: error.now });
}
