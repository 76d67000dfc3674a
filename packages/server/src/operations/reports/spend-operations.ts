import type { Dimension } from '../../reports/dimensions.ts';
import { focusLines } from '../../reports/focus.ts';
import { reportCsv } from '../../reports/report.ts';
import { appRow } from '../apps/apps.ts';
import { maskUser, type Who } from '../context/who.ts';
import { rangeFields, rangeOf, refuseFaults, requestFaults } from '../description/day-range.ts';
import { app, flag, type Input, line, oneOf, optional } from '../description/field.ts';
import { type Operating, type Operation, ofType, operation } from '../description/operation.ts';
import { splits, topRows } from './asked.ts';
import { readEstimates } from './estimates.ts';
import { readFocus, withVendors } from './focus.ts';
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

async function daysOf({ admin, apps }: Operating, asked: Input<typeof days>) {
  if (asked.app !== undefined) await appRow(admin, asked.app);
  return { ...rangeOf(asked, admin.clock.now()), apps };
}

const check = (asked: Input<typeof days>) => refuseFaults(requestFaults(asked));

/** Users may be masked. */
export function namesFor(
  who: Who,
  ring: Parameters<typeof maskUser>[1],
  by: readonly Dimension[],
): (names: readonly string[]) => readonly string[] {
  const [user, of] = [by.indexOf('user'), by.indexOf('app')];
  if (user === -1 || who.may.includes('users')) return (names) => names;
  return (names) => {
    const [userId = '', owner = ''] = [names[user], names[of]];
    return userId === '' ? names : names.with(user, maskUser(who, ring, { app: owner, userId }));
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
  async run(operating, { by = byApp, model, top, compare = false, ...asked }) {
    const { admin, who, catalog } = operating;
    const wanted = { ...(await daysOf(operating, asked)), by, model, top, compare };
    const found = await readSpend(admin, catalog, wanted);
    const seen = namesFor(who, admin.store.ring, by);
    return { ...found, rows: found.rows.map(({ names, sums }) => ({ names: seen(names), sums })) };
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
  async run(operating, { by = byApp, model, top, format, ...asked }) {
    const { admin, who, catalog, platformFacts: platforms } = operating;
    const wanted = { ...(await daysOf(operating, asked)), model, top };
    const isFocus = format === 'focus';
    const lines = isFocus
      ? await focusLines(await readFocus(admin, catalog, wanted), {
          ...admin,
          platforms: withVendors(platforms),
        })
      : await reportCsv(
          by,
          (await readSpendRows(admin, catalog, { ...wanted, by })).rows,
          namesFor(who, admin.store.ring, by),
        );
    const name = `spend-${wanted.from}-${wanted.to}${isFocus ? '-focus' : ''}.csv`;
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
  run: async (operating, asked) => readEstimates(operating.admin, await daysOf(operating, asked)),
});

export const spend: readonly Operation[] = [show, file, estimates];
