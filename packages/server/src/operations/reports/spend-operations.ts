import type { Dimension } from '../../reports/dimensions.ts';
import { focusLines } from '../../reports/focus.ts';
import { reportCsv } from '../../reports/report.ts';
import { appRow } from '../apps/apps.ts';
import { maskUser, type Session } from '../context/session.ts';
import { rangeFields, rangeOf, refuseFaults, requestFaults } from '../description/day-range.ts';
import { app, flag, type Input, line, oneOf, optional } from '../description/field.ts';
import { type Operating, type Operation, ofType, operation } from '../description/operation.ts';
import { readEstimates } from './estimates.ts';
import { readFocus, withVendors } from './focus.ts';
import { splits, topRows } from './report-fields.ts';
import { readSpend, readSpendRows } from './spend.ts';

export const splitsMax = 4;
export const rowsMost = 10_000;

const days = { ...rangeFields, app: optional(app('only this app')) };
const input = {
  ...days,
  by: optional(splits(splitsMax)),
  model: optional(line(200, 'only calls of this model', 'id')),
  top: topRows(rowsMost),
  compare: flag('include the previous period'),
};

const byApp: readonly Dimension[] = ['app'];

async function daysOf({ admin, apps }: Operating, options: Input<typeof days>) {
  if (options.app !== undefined) await appRow(admin, options.app);
  return { ...rangeOf(options, admin.clock.now()), apps };
}

const check = (options: Input<typeof days>) => refuseFaults(requestFaults(options));

/** Masks users where the session requires it. */
export function namesFor(
  session: Session,
  ring: Parameters<typeof maskUser>[1],
  by: readonly Dimension[],
): (names: readonly string[]) => readonly string[] {
  const [user, of] = [by.indexOf('user'), by.indexOf('app')];
  if (user === -1 || session.permissions.includes('users')) return (names) => names;
  return (names) => {
    const [userId = '', owner = ''] = [names[user], names[of]];
    return userId === ''
      ? names
      : names.with(user, maskUser(session, ring, { app: owner, userId }));
  };
}

const show = operation({
  name: 'spend show',
  about: 'show spending: split, day by day, with the previous period and a forecast',
  right: 'spend',
  http: ['GET /spend'],
  apps: 'own',
  needs: ['catalog'],
  input,
  check,
  commands: [],
  result: async () => (await import('../documents/reports.ts')).Spend,
  async run(operating, { by = byApp, model, top, compare = false, ...range }) {
    const { admin, session, catalog } = operating;
    const query = { ...(await daysOf(operating, range)), by, model, top, compare };
    const result = await readSpend(admin, catalog, query);
    const maskNames = namesFor(session, admin.store.ring, by);
    return {
      ...result,
      rows: result.rows.map(({ names, sums }) => ({ names: maskNames(names), sums })),
    };
  },
});

const file = operation({
  name: 'spend file',
  about: 'download spending as a file for spreadsheets, or in FOCUS columns',
  right: 'spend',
  http: ['GET /spend.csv'],
  apps: 'own',
  needs: ['catalog', 'platformFacts'],
  input: {
    ...input,
    format: optional(oneOf(['plain', 'focus'], 'format (default: plain)', 'format')),
  },
  check,
  commands: [],
  isFile: true,
  result: ofType<{ readonly csv: string; readonly name: string }>(),
  async run(operating, { by = byApp, model, top, format, ...range }) {
    const { admin, session, catalog, platformFacts: platforms } = operating;
    const query = { ...(await daysOf(operating, range)), model, top };
    const isFocus = format === 'focus';
    const lines = isFocus
      ? await focusLines(await readFocus(admin, catalog, query), {
          ...admin,
          platforms: withVendors(platforms),
        })
      : await reportCsv(
          by,
          (await readSpendRows(admin, catalog, { ...query, by })).rows,
          namesFor(session, admin.store.ring, by),
        );
    const name = `spend-${query.from}-${query.to}${isFocus ? '-focus' : ''}.csv`;
    return { csv: `${lines.join('\n')}\n`, name };
  },
});

const estimates = operation({
  name: 'spend estimates',
  about: 'show estimated costs by reason, platform and model',
  right: 'spend',
  http: ['GET /estimates'],
  apps: 'own',
  input: days,
  check,
  commands: [],
  result: async () => (await import('../documents/reports.ts')).Estimates,
  run: async (operating, options) =>
    readEstimates(operating.admin, await daysOf(operating, options)),
});

export const spend: readonly Operation[] = [show, file, estimates];
