import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { formatDecimal } from '../../../packages/server/src/lib/money.ts';
import { selectApps } from '../../../packages/server/src/store/queries/registry.ts';
import type { House } from '../house.ts';
import { artefacts } from '../install.ts';
import { labels } from './labels.ts';
import { expect, type Visit } from './visit.ts';

/**
 * An invoice is uploaded: one app's amount is within its estimates, another's is too high, and one
 * has no app.
 */
export async function uploadInvoice({ house, page, hands }: Visit): Promise<void> {
  const { day, explained, over } = await bookedDay(house);
  await hands.press('link', labels.reconcile);
  await page.getByRole('heading', { name: labels.headings.reconcile }).first().waitFor();
  await hands.press('button', labels.uploadInvoice);
  await hands.write(labels.platform, 'sandbox');
  // Another amount each time: the same files are imported once.
  const share = hands.manner === 'mouse' ? 2n : 4n;
  const path = join(artefacts, `costs-${house.service.store.kind}-${hands.manner}.json`);
  const report = costsOf(day, [
    [explained.project, explained.cost - explained.estimated / share],
    [over.project, over.cost * share],
    ['wrkspc_of_nobody', 10_000_000_000n * share],
  ]);
  await writeFile(path, report);
  await hands.pickFile(labels.files, path);
  await hands.write(labels.reason, 'the invoice of the month');
  await hands.press('button', labels.importInvoice);
  await hands.press('button', labels.showComparison);
  const { verdicts } = labels;
  for (const [verdict, help] of [
    [verdicts.explained, 'Estimates or calls around midnight explain the difference'],
    [verdicts.over, 'The platform bills more than the gateway requested'],
    [verdicts.foreign, 'No app is bound to this project'],
  ] as const) {
    const item = page.locator('li', { hasText: verdict });
    await item.first().waitFor();
    expect((await item.first().innerText()).includes(help), `"${verdict}" is not explained`);
  }
  const shownDay = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' });
  const ofDay = shownDay.format(new Date(day));
  const rows = await page.locator('tbody tr', { hasText: ofDay }).allInnerTexts();
  for (const [app, verdict] of [
    [explained.app, verdicts.explained],
    [over.app, verdicts.over],
  ] as const) {
    const isShown = rows.some((row) => row.includes(app) && row.includes(verdict));
    expect(isShown, `${app} is not shown as ${verdict} in ${rows.length} rows of ${ofDay}`);
  }
}

/** The newest day of the current month with an app that has estimates, and another app. */
async function bookedDay({ service }: House) {
  const today = new Date().toISOString().slice(0, 10);
  const sums = await service.store.read({
    sql: `
      select day, app, cast(sum(cost) as bigint) as cost,
             cast(sum(estimated) as bigint) as estimated
        from usage_day
       where day >= $1 and day < $2
       group by day, app
       order by day desc, app`,
    values: [`${today.slice(0, 7)}-01`, today],
    map: (rows) =>
      rows.map(({ day, app, cost, estimated }) => ({
        ...{ day: String(day), app: String(app) },
        ...{ cost: BigInt(String(cost)), estimated: BigInt(String(estimated)) },
      })),
  });
  const apps = await service.store.read(selectApps(service.admin.company));
  const withProject = ({ app, ...rest }: (typeof sums)[number]) => ({
    ...{ app, ...rest },
    project: apps.find(({ name }) => name === app)?.project ?? '',
  });
  const explained = sums.find(({ estimated }) => estimated > 0n);
  const over = sums.find(({ day, app }) => day === explained?.day && app !== explained?.app);
  if (explained === undefined || over === undefined) {
    throw new Error('no day of this month has an estimate: fill in more calls');
  }
  return { day: explained.day, explained: withProject(explained), over: withProject(over) };
}

/** A platform's report of a day's costs, by project: amounts are in cents. */
function costsOf(day: string, costs: readonly (readonly [project: string, picoUsd: bigint])[]) {
  const ends = new Date(Date.parse(day) + 86_400_000).toISOString();
  const results = costs.map(([workspace_id, picoUsd]) => ({
    ...{ workspace_id, currency: 'USD', amount: formatDecimal(picoUsd, 10) },
    ...{ description: 'Usage', cost_type: 'tokens', model: null, token_type: null },
  }));
  const bucket = { starting_at: `${day}T00:00:00Z`, ending_at: ends.replace('.000', ''), results };
  return JSON.stringify({ data: [bucket], has_more: false, next_page: null });
}
