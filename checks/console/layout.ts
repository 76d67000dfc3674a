import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { auditOf, collectFaults, prepareAudit } from './browser/audit.ts';
import { dialogFaults } from './browser/dialog-faults.ts';
import type { Browser, Page } from './browser/driver.ts';
import { onPaper, pages } from './check-pages.ts';
import { artefacts } from './install.ts';

/** The widths that the console supports, in px. */
const widths = [320, 390, 768, 1024, 1440, 1920] as const;
/** Widths at which dialogs are opened too: a dialog has at most 36rem. */
const dialogWidths: ReadonlySet<number> = new Set([320, 1440]);
const source = new URL('../../packages/console/src/shell/pages.tsx', import.meta.url);
/** The value of a variable part of an address. */
const anyId = 'k1';
/** Addresses whose parameters add a table. */
const variants = ['spend?range=week&by=user&users=job_1', 'calls?order=cost'];

/**
 * Measures every page of the console's routes at every width, with the longest texts that its API
 * can send. Returns the count of addresses, and a line for each fault.
 */
export async function measureLayouts(browser: Browser, url: string) {
  const context = await browser.newContext({ colorScheme: 'light', reducedMotion: 'reduce' });
  context.setDefaultTimeout(10_000);
  await prepareAudit(context);
  const page = await context.newPage();
  const audit = auditOf(page, url);
  const findings: string[] = [];
  const measured = addresses();
  for (const address of measured) {
    const { add, lines } = collectFaults();
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 });
      if (width === widths[0]) await page.goto(`${url}/console/${address}`);
      await audit.settled();
      const faults = [...(await audit.faults(width)), ...audit.errors()];
      add(`${width} px`, faults);
      if (dialogWidths.has(width)) add(`${width} px`, await dialogFaults(page));
      if (faults.length > 0) await saveFault(page, `${address}-long-${width}`);
    }
    findings.push(...lines(`${address || 'today'}, long`));
    for (const fault of await onPaper(page)) findings.push(`${address || 'today'}: ${fault}`);
  }
  await context.close();
  return { count: measured.length, findings };
}

async function saveFault(page: Page, name: string): Promise<void> {
  const path = join(artefacts, `${name.replaceAll(/\W+/g, '-')}.png`);
  await page.screenshot({ path, fullPage: true });
}

/** The listed addresses, and one for each other route: a new route needs no line here. */
function addresses(): readonly string[] {
  const text = readFileSync(source, 'utf8');
  const routes = [...text.matchAll(/(?:<Route path="|^ {2}')\/console\/?([^"']*)/gm)].map(
    ([, path = '']) => path,
  );
  const count = [...text.matchAll(/<Route path="|\blazy\(\(/g)].length;
  if (routes.length !== count) throw new Error(`${routes.length} of ${count} routes were found`);
  const addresses = [...Object.values(pages), ...variants];
  const others = routes.filter((route) => {
    const pattern = new RegExp(`^${route.replaceAll(/:\w+/g, '[^/]+')}$`);
    return !addresses.some((address) => pattern.test(address.replace(/\?.*/, '')));
  });
  return [...addresses, ...others.map((route) => route.replaceAll(/:\w+/g, anyId))];
}
