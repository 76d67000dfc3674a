import Type from 'typebox';
import { appRow } from '../../operations/apps/apps.ts';
import { ConsoleError } from '../../operations/console-error.ts';
import * as documents from '../../operations/documents.ts';
import { readFocus } from '../../operations/reports/focus.ts';
import { readSpend, readSpendRows } from '../../operations/reports/spend.ts';
import { maskUser, type Who } from '../../operations/who.ts';
import { type Dimension, dimensionOf } from '../../reports/dimensions.ts';
import { focusLines } from '../../reports/focus.ts';
import { reportCsv } from '../../reports/report-csv.ts';
import { type DayRange, dayText, flagText, monthText, name, rangeOf } from '../queries.ts';
import { type AnyRoute, type Asked, route } from '../route.ts';

const range = {
  from: Type.Optional(dayText),
  to: Type.Optional(dayText),
  month: Type.Optional(monthText),
  by: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  app: Type.Optional(name),
  model: Type.Optional(name),
  top: Type.Optional(
    Type.String({ pattern: '^[1-9]\\d{0,3}$', rule: 'a whole number from 1 to 9999' }),
  ),
} as const;

const splitsMax = 4;

/** By what it is split. A user is one of an app: two apps may have the same name for two people. */
export function dimensionsOf(text: string): readonly Dimension[] {
  const by = text.split(',').map((one) => {
    const found = dimensionOf(one.trim());
    if (found !== undefined) return found;
    throw new ConsoleError('INVALID', `by: ${JSON.stringify(one)} is none`, { field: 'by' });
  });
  const all = by.includes('user') && !by.includes('app') ? (['app', ...by] as const) : by;
  if (new Set(all).size === all.length && all.length <= splitsMax) return all;
  throw new ConsoleError('INVALID', `by names at most ${splitsMax}, each once`, { field: 'by' });
}

type SpendQuery = DayRange & { readonly by: readonly Dimension[] };

async function askedOf(
  { admin, apps }: Pick<Asked, 'admin' | 'apps'>,
  query: Parameters<typeof rangeOf>[0] & { readonly by?: string; readonly app?: string },
) {
  if (query.app !== undefined) await appRow(admin, query.app);
  const days: SpendQuery = {
    ...rangeOf(query, admin.clock.now()),
    by: dimensionsOf(query.by ?? 'app'),
  };
  return { ...days, apps };
}

/** The names of a row as their reader may see them: users may be masked. */
export function namesFor(
  who: Who,
  ring: Parameters<typeof maskUser>[1],
  by: readonly Dimension[],
): (names: readonly string[]) => readonly string[] {
  const [user, app] = [by.indexOf('user'), by.indexOf('app')];
  if (user === -1 || who.may.includes('users')) return (names) => names;
  return (names) => {
    const [userId = '', of = ''] = [names[user], names[app]];
    return userId === '' ? names : names.with(user, maskUser(who, ring, { app: of, userId }));
  };
}

const spend = route({
  method: 'GET',
  path: '/admin/v1/spend',
  action: 'spend',
  apps: 'own',
  summary: 'What calls came to: split, day by day, beside the period before, and where it leads',
  query: Type.Object(
    { ...range, compare: Type.Optional(flagText) },
    { additionalProperties: false },
  ),
  answer: documents.Spend,
  async handle({ admin, who, apps, query, catalog }) {
    const asked = await askedOf({ admin, apps }, query);
    const found = await readSpend(admin, catalog, {
      ...asked,
      model: query.model,
      top: query.top === undefined ? undefined : Number(query.top),
      compare: query.compare === 'true',
    });
    const seen = namesFor(who, admin.store.ring, asked.by);
    const rows = found.rows.map(({ names, sums }) => ({ names: seen(names), sums }));
    return { body: { ...found, rows } };
  },
});

const spendCsv = route({
  method: 'GET',
  path: '/admin/v1/spend.csv',
  action: 'spend',
  apps: 'own',
  summary: 'The same as a file for spreadsheets, or in the columns of FOCUS',
  query: Type.Object(
    {
      ...range,
      compare: Type.Optional(flagText),
      format: Type.Optional(Type.Enum(['plain', 'focus'])),
    },
    { additionalProperties: false },
  ),
  answer: Type.String({ description: 'RFC 4180' }),
  answerType: 'text/csv',
  async handle({ admin, who, apps, query, catalog, config }) {
    const asked = await askedOf({ admin, apps }, query);
    const { by } = asked;
    const { model } = query;
    const top = query.top === undefined ? undefined : Number(query.top);
    const isFocus = query.format === 'focus';
    const file = `spend-${asked.from}-${asked.to}${isFocus ? '-focus' : ''}.csv`;
    const lines = isFocus
      ? await focusLines(await readFocus(admin, catalog, { ...asked, model, top }), config)
      : await reportCsv(
          by,
          (await readSpendRows(admin, catalog, { ...asked, model, top })).rows,
          namesFor(who, admin.store.ring, by),
        );
    return { csv: `${lines.join('\n')}\n`, name: file };
  },
});

/** What was spent. */
export const spendRoutes: readonly AnyRoute[] = [spend, spendCsv];
