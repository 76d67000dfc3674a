import { nextUtcDayMs, utcDayOf } from '../../lib/clock.ts';
import { formatUsd } from '../../lib/money.ts';
import * as sql from '../../store/queries/operator-statements.ts';
import { AdminError, badValue } from '../context/admin-error.ts';
import { auditLine } from '../context/audit-line.ts';
import { previewChange } from '../context/audited-change.ts';
import type { AdminContext } from '../context/context.ts';
import {
  app,
  argument,
  asOption,
  field,
  type Input,
  oneOf,
  optional,
} from '../description/field.ts';
import { type Operating, type Operation, operation } from '../description/operation.ts';
import type { AppDocument, AppPreview, CappedDay } from '../documents/apps.ts';
import { forms } from '../documents/forms.ts';
import { appDocument, listApps, settingsTag } from './app-document.ts';
import { compareWithFile, previewApp } from './app-preview.ts';
import { appRow, changeApp, createApp, updateApp } from './apps.ts';
import { appLines, appsLines, raisedLines } from './lines.ts';
import {
  readSettings,
  settingOptions,
  settings,
  settingsFromOptions,
  tag,
} from './setting-options.ts';

const list = operation({
  name: 'apps list',
  about: 'list apps with their settings, by name',
  right: 'look',
  http: ['GET /apps'],
  apps: 'own',
  needs: ['fileApps'],
  result: async () => (await import('../documents/apps.ts')).ListedApps,
  run: async ({ admin, fileApps, session }) =>
    (await listApps(admin, fileApps)).filter(({ name }) => session.apps?.includes(name) !== false),
  lines: appsLines,
});

const preview = async () => (await import('../documents/apps.ts')).AppPreview;
const etag = ({ app: changed }: { readonly app: AppDocument }) => `"${settingsTag(changed)}"`;
const shown = ({ app: changed, capped }: AppPreview) => capped ?? changed;
const shownLines = ({ app: changed, capped }: AppPreview) =>
  capped === null ? appLines(changed) : raisedLines(capped);
const newName = field(forms.appName, { about: 'app name', placeholder: 'name', decode: String });

const create = operation({
  name: 'apps create',
  about: 'register an app',
  right: 'operate',
  kind: 'change',
  http: ['POST /apps'],
  status: 201,
  needs: ['fileApps', 'plans'],
  input: { name: argument(newName), settings: optional(settings), tag },
  example: { name: 'helpdesk' },
  commands: [
    {
      input: { name: argument(newName), ...settingOptions },
      example: { name: 'helpdesk', dailyBudgetUsd: '5' },
      toInput: ({ name, ...given }) => ({ name, ...settingsFromOptions(given) }),
      document: shown,
    },
  ],
  result: preview,
  etag,
  async run({ admin, fileApps, plans }, { name, ...input }) {
    const newSettings = readSettings(plans, input, { credits: null, tags: {} });
    const made = await createApp(admin, name, newSettings);
    const unchanged = { settings: {}, isToday: false };
    return { ...(await previewApp(admin, name, unchanged, fileApps)), app: made, capped: null };
  },
  lines: shownLines,
});

const changed = {
  app: argument(asOption('name', app('app name'))),
  settings,
  tag,
  until: optional(
    oneOf(['midnight'], 'midnight: apply the daily budget until 00:00 UTC only', 'when'),
  ),
};

const update = operation({
  name: 'apps update',
  about: 'change the named settings, if no setting changed since `If-Match`',
  right: 'operate',
  kind: 'change',
  http: ['PATCH /apps/:app'],
  apps: 'own',
  needs: ['fileApps', 'plans'],
  input: changed,
  commands: [
    {
      about: "change an app's settings",
      input: { app: changed.app, ...settingOptions, until: changed.until },
      example: { app: 'search', dailyBudgetUsd: '5' },
      toInput: ({ app: name, until, ...given }) => ({
        ...{ app: name, ...settingsFromOptions(given) },
        ...(until !== undefined && { until }),
      }),
      document: shown,
    },
    switching('enable', 'enable a disabled app', true),
    switching('disable', 'disable an app; its calls are rejected', false),
  ],
  result: preview,
  etag,
  async plan(operating, input) {
    const { admin, fileApps } = operating;
    const change = await changeOf(operating, input);
    const write = (on: Operating['admin']) => writeChange({ ...operating, admin: on }, change);
    const changes = await previewChange(admin, write);
    const result = await previewApp(admin, input.app, change, fileApps);
    return { changes, result: { ...result, capped: null } };
  },
  danger: {
    subject: (input) => (input.settings.enabled === false ? input.app : undefined),
    intent: ({ grant }) => (grant === null ? [] : [grant]),
    actsWithoutTerminal: () => true,
    isAlwaysShown: true,
  },
  async run(operating, input) {
    const { admin, fileApps } = operating;
    const change = await changeOf(operating, input);
    const result = await previewApp(admin, input.app, change, fileApps);
    const capped = await writeChange(operating, change);
    return { ...result, capped, ...compareWithFile(await appRow(admin, input.app), fileApps) };
  },
  lines: shownLines,
});

function switching(verb: string, about: string, enabled: boolean) {
  return {
    ...{ name: `apps ${verb}`, about, input: { app: changed.app }, example: { app: 'search' } },
    toInput: ({ app: name }: Readonly<Record<string, unknown>>) => ({
      ...{ app: name, settings: { enabled } },
    }),
    ...{ needsConfirmation: false, document: shown },
  };
}

async function changeOf(operating: Operating<'plans'>, input: Input<typeof changed>) {
  const { admin, plans } = operating;
  const { app: name, until } = input;
  const newSettings = readSettings(plans, input, appDocument(await appRow(admin, name)));
  const { dailyBudgetPicoUsd: cap, ...others } = newSettings;
  if (Object.keys(newSettings).length === 0)
    throw badValue('settings', 'nothing to change; set at least one setting');
  const isToday = until !== undefined;
  if (isToday && (cap === undefined || Object.keys(others).length > 0))
    throw badValue('until', 'a cap until midnight requires a daily budget and no other setting');
  return { name, settings: newSettings, isToday, cap, expected: expectedOf(operating) };
}

/** An override of today's budget ends at midnight. */
async function writeChange(
  { admin }: Operating,
  { name, settings: newSettings, isToday, cap, expected }: Awaited<ReturnType<typeof changeOf>>,
) {
  if (isToday && cap !== undefined) return capToday(admin, name, cap, expected);
  await updateApp(admin, name, newSettings, expected);
  return null;
}

/** Undefined accepts any state, as for a command. */
function expectedOf({ ifMatch, session }: Operating): string | undefined {
  if (ifMatch === '*' || session.via === 'nothing') return undefined;
  const [, expected] = /^"([^"]*)"$/.exec(ifMatch ?? '') ?? [];
  if (expected !== undefined) return expected;
  throw badValue('if-match', 'send the ETag of the app version that you changed, or *');
}

/** Two lists: the help shows the apps' reports between them. */
export const apps: readonly Operation[] = [list];
export const appChanges: readonly Operation[] = [create, update];

/**
 * The app's own budget applies again from the next day. A later change of its daily budget replaces
 * this override. Throws an AdminError for an app without a budget, or if it no longer matches
 * `expected`.
 */
export async function capToday(
  context: AdminContext,
  name: string,
  capPicoUsd: bigint,
  expected?: string,
): Promise<CappedDay> {
  const { dailyBudgetPicoUsd } = await appRow(context, name);
  if (dailyBudgetPicoUsd === undefined) {
    throw new AdminError(
      `the app ${name} has no daily budget to override until midnight; set one without --until`,
    );
  }
  const nowMs = context.clock.now();
  const day = utcDayOf(nowMs);
  const capUsd = formatUsd(capPicoUsd);
  const dailyBudgetUsd = formatUsd(dailyBudgetPicoUsd);
  await changeApp(context, name, expected, () => [
    { sql: sql.putCap, values: [name, day, capPicoUsd] },
    auditLine(context, {
      action: 'app.cap-today',
      subject: `${name} ${day}`,
      before: dailyBudgetUsd,
      after: capUsd,
    }),
  ]);
  const until = new Date(nextUtcDayMs(nowMs)).toISOString();
  return { app: name, day, capUsd, dailyBudgetUsd, until };
}
