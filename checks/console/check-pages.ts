import { join } from 'node:path';
import { auditOf } from './browser/audit.ts';
import { axeFindings } from './browser/axe.ts';
import type { Browser, Page } from './browser/driver.ts';
import { artefacts } from './install.ts';

export const pages = {
  today: '',
  spend: 'spend?month=2026-11&by=model&compare=true',
  calls: 'calls',
  dearest: 'calls?order=cost',
  receipt: 'calls/call_01k9x0000000000000000000aa',
  apps: 'apps',
  app: 'apps/search?user=user-7',
  keys: 'keys',
  rotate: 'keys/k1/rotate',
  models: 'models',
  health: 'health?audit=job_1',
  reconcile: 'reconcile?month=2026-11',
  activity: 'activity',
  access: 'access',
} as const;

const wide = { width: 1280, height: 900 };
const narrow = { width: 320, height: 640 };
/** A sheet of A4, at 96 px an inch. */
const paper = { width: 794, height: 1123 };

/**
 * Checks every page in both themes, on the narrowest screen and on paper. It collects axe's
 * findings, overflow, faults of the printed page, and the page's exceptions and policy violations.
 * Returns a line for each.
 */
export async function checkPages(
  browser: Browser,
  parts: {
    readonly url: string;
    readonly state: string;
    /** Earlier steps, for example a login. */
    readonly enter?: (page: Page) => Promise<unknown>;
  },
): Promise<readonly string[]> {
  const { url, state, enter } = parts;
  const findings: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    const context = await browser.newContext({ colorScheme, viewport: wide });
    context.setDefaultTimeout(10_000);
    const page = await context.newPage();
    let where = '';
    const add = (what: string) => findings.push(`${where}: ${what}`);
    const audit = auditOf(page, url);
    await enter?.(page);
    for (const [name, path] of Object.entries(pages)) {
      where = `${name}, ${state}, ${colorScheme}`;
      await page.setViewportSize(wide);
      await page.goto(`${url}/console/${path}`);
      await audit.settled();
      await page.screenshot({
        path: join(artefacts, `${name}-${state}-${colorScheme}.png`),
        fullPage: true,
      });
      for (const finding of await axeFindings(page)) add(finding);
      await page.setViewportSize(narrow);
      const width = await page.evaluate<number>('document.documentElement.scrollWidth');
      if (width > narrow.width) add(`is ${width} px wide on a screen of ${narrow.width}`);
      for (const finding of await onPaper(page)) add(finding);
      for (const { figure } of audit.errors()) add(figure);
    }
    await context.close();
  }
  return findings;
}

export async function onPaper(page: Page): Promise<readonly string[]> {
  await page.setViewportSize(paper);
  await page.emulateMedia({ media: 'print' });
  const findings = await page.evaluate<string[]>(`(() => {
    const all = (what) => [...document.querySelectorAll(what)];
    const isSeen = (each) => each.checkVisibility() && each.getClientRects().length > 0;
    const controls = all('nav, button, input, select').filter((each) => !each.closest('th'));
    const buttons = controls.filter(isSeen).map(({ outerHTML }) => outerHTML.slice(0, 80));
    const tables = all('figure table').filter((each) => !isSeen(each));
    const cut = all('main *').filter((each) => each.querySelector('table') !== null &&
      getComputedStyle(each).overflowX !== 'visible' && each.scrollWidth > each.clientWidth);
    const { scrollWidth } = document.documentElement;
    return [
      ...buttons.map((each) => 'prints ' + each),
      ...tables.map(() => 'prints a chart without its table'),
      ...cut.map(() => 'prints half of a table'),
      ...(scrollWidth > ${paper.width} ? ['is ' + scrollWidth + ' px wide on paper'] : []),
    ];
  })()`);
  await page.emulateMedia({ media: 'screen' });
  return findings;
}
