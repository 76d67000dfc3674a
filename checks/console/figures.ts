import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { run } from '../../harness/process.ts';
import { makeLoginCode } from '../../packages/server/src/operations/access/console-sessions.ts';
import type { Browser, Page } from './browser/driver.ts';
import type { House } from './house.ts';

/** A figure of the console in a browser, next to its aim; printed, and never asserted. */
export interface Figure {
  readonly what: string;
  readonly ms: number;
  readonly aimMs: number;
}

/** The duration of building the pages, as at installation, with the start of its process. */
export async function measurePrepare(): Promise<Figure> {
  const script = fileURLToPath(new URL('../../packages/console/scripts/build.ts', import.meta.url));
  const from = performance.now();
  await run(process.execPath, [script]);
  return { what: 'prepare', ms: performance.now() - from, aimMs: 1_500 };
}

const rounds = 5;
const splits = ['app', 'project', 'model', 'platform', 'key', 'tag', 'day', 'user'] as const;

/**
 * A person's wait for the first paint of Today and for its figures, with an empty browser cache.
 * Then the wait for a month of spending by each split. Medians of five.
 */
export async function measure(browser: Browser, house: House): Promise<readonly Figure[]> {
  const access = { name: 'figures@acme', role: 'operator', apps: undefined } as const;
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    const code = await makeLoginCode(house.service.admin, access);
    await page.goto(`${house.adminUrl}/console/login#code=${code}`);
    await page.getByRole('heading', { name: 'Today' }).first().waitFor();
    const paints: number[] = [];
    const readies: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const { paintMs, readyMs } = await openToday(page, house);
      paints.push(paintMs);
      readies.push(readyMs);
    }
    const figures = [
      { what: 'first paint of Today', ms: median(paints), aimMs: 400 },
      { what: 'Today with its figures', ms: median(readies), aimMs: 800 },
    ];
    for (const by of splits) {
      const times: number[] = [];
      for (let round = 0; round < rounds; round++) times.push(await spendMs(page, by));
      figures.push({ what: `a month by ${by}`, ms: median(times), aimMs: 300 });
    }
    return figures;
  } finally {
    await context.close();
  }
}

async function openToday(page: Page, { adminUrl }: House) {
  await page.goto('about:blank');
  const from = performance.now();
  await page.goto(`${adminUrl}/console/`, { waitUntil: 'commit' });
  await page.getByRole('table').first().waitFor();
  const readyMs = performance.now() - from;
  const paintMs = await page.evaluate<number>(
    `performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN`,
  );
  return { paintMs, readyMs };
}

/** From the page's request to the last byte of the response. */
function spendMs(page: Page, by: string): Promise<number> {
  return page.evaluate<number>(
    `(async () => {
      const month = new Date(Date.now() - 30 * 86400000).toISOString().slice(0, 7);
      const from = performance.now();
      const secret = localStorage.getItem('mg-secret');
      const headers = secret === null ? {} : { 'x-console-secret': secret };
      const answer = await fetch('/admin/v1/spend?month=' + month + '&by=${by}', { headers });
      await answer.text();
      return answer.status === 200 ? performance.now() - from : NaN;
    })()`,
  );
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
