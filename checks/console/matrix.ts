import { until } from '../../harness/until.ts';
import { type Audit, auditOf, collectFaults, type Fault, prepareAudit } from './browser/audit.ts';
import type { Browser, Page, Route } from './browser/driver.ts';
import type { consolePages } from './pages.ts';

/** The service's responses during the check of a page. */
export const states = ['full', 'empty', 'slow', 'failing'] as const;
export type PageState = (typeof states)[number];

export const widths = [390, 768, 1440] as const;
const schemes = ['light', 'dark'] as const;
const height = 900;
/** Documents of pages: not the session, and not the stream of changes. */
const documents = /\/admin\/v1\/(?!session$|events)/;
/** A skeleton is shown after 150 ms. */
const skeletonMs = 250;
/** The page reads its data again at this age. */
const staleMs = 60_000;
const wrongClocks = { 'a day slow': -86_400_000, 'a year fast': 31_536_000_000 };
const failures = [503, 403] as const;

interface MatrixParts {
  readonly url: string;
  readonly state: PageState;
  /** Addresses of the pages, by name. */
  readonly pages: ReturnType<typeof consolePages>;
  /** Earlier steps, for example a login. */
  readonly enter: (page: Page) => Promise<unknown>;
  /** Called for each checked page. */
  readonly report: (line: string) => void;
}

interface PageCheck extends MatrixParts {
  readonly page: Page;
  readonly audit: Audit;
  readonly path: string;
  /** Adds findings to the lines of the page. */
  readonly add: (where: string, faults: readonly Fault[]) => void;
}

/** Checks each page in one state, at each width and in both schemes. Returns its faults. */
export async function checkMatrix(browser: Browser, parts: MatrixParts) {
  const { url, state, pages, enter } = parts;
  const context = await browser.newContext({ viewport: { width: 1440, height } });
  context.setDefaultTimeout(15_000);
  await prepareAudit(context);
  const page = await context.newPage();
  const audit = auditOf(page, url);
  await enter(page);
  const findings: string[] = [];
  for (const [name, path] of Object.entries(pages)) {
    const { add, lines } = collectFaults();
    try {
      await checksByState[state]({ ...parts, page, audit, path, add });
    } catch (error) {
      add('first', [{ check: 'page', element: path, figure: String(error).slice(0, 200) }]);
    }
    const faults = lines(`${name}, ${state}`);
    findings.push(...faults);
    parts.report(`${name}, ${state}: ${faults.length} findings`);
    await page.unroute(documents);
  }
  await context.close();
  return { count: Object.keys(pages).length * widths.length * schemes.length, findings };
}

const checksByState: Readonly<Record<PageState, (check: PageCheck) => Promise<void>>> = {
  full: checkData,
  empty: checkData,
  slow: checkWhileSlow,
  failing: checkFailures,
};

async function checkData(check: PageCheck): Promise<void> {
  const { page, audit, add } = check;
  await open(check, 1440);
  await checkAll(check);
  for (const width of [1440, 390]) {
    await open(check, width);
    add(`${width} px`, await audit.tabs());
  }
  await page.emulateMedia({ colorScheme: 'light' });
  for (const [name, shiftMs] of Object.entries(wrongClocks)) {
    await page.evaluate(`sessionStorage.setItem('clock', '${shiftMs}')`);
    await open(check, 1440);
    add(`1440 px, its clock ${name}`, [...(await audit.faults(1440)), ...audit.errors()]);
  }
  await page.evaluate(`sessionStorage.removeItem('clock')`);
}

/** The page without its data, and then the shifts when the data arrive, one by one. */
async function checkWhileSlow(check: PageCheck): Promise<void> {
  const { page, audit, add, url, path } = check;
  for (const width of widths) {
    const waiting: Route[] = [];
    let isSlow = true;
    await page.setViewportSize({ width, height });
    await page.route(documents, (route) => (isSlow ? waiting.push(route) : route.continue()));
    await page.goto(`${url}/console/${path}`);
    // The page itself might come late.
    const hasHead = `document.querySelector('main h1') !== null`;
    const isWaiting = `${hasHead} && performance.now() > ${skeletonMs}`;
    await until(async () => waiting.length > 0 && page.evaluate<boolean>(isWaiting));
    for (const colorScheme of schemes) {
      await page.emulateMedia({ colorScheme });
      add(`${width} px ${colorScheme}`, [...(await audit.faults(width)), ...(await audit.axe())]);
    }
    isSlow = false;
    await audit.markShifts();
    for (const route of waiting) {
      await route.continue();
      await page.evaluate('new Promise(requestAnimationFrame)');
    }
    await audit.settled();
    add(`${width} px`, [...(await audit.shifts()), ...audit.errors()]);
    await page.unroute(documents);
  }
}

/** The service fails before the page has data, and once it has them. */
async function checkFailures(check: PageCheck): Promise<void> {
  const { page, add } = check;
  for (const status of failures) {
    const fail = () => page.route(documents, (route) => route.fulfill(failureOf(status)));
    await fail();
    await open(check, 1440);
    await checkAll({ ...check, add: (at, faults) => add(`${status} ${at}`, faults) }, ['light']);
    add(`${status}`, await missingAlert(page, status));
    await page.unroute(documents);
    await open(check, 1440);
    await fail();
    await readAgain(check);
    await checkAll({ ...check, add: (at, faults) => add(`late ${status} ${at}`, faults) });
    add(`late ${status}`, await missingAlert(page, status));
    await page.unroute(documents);
  }
}

async function open({ page, audit, url, path }: PageCheck, width: number): Promise<void> {
  await page.setViewportSize({ width, height });
  await page.goto(`${url}/console/${path}`);
  await audit.settled();
}

async function checkAll(
  { page, audit, add }: PageCheck,
  shown: readonly (typeof schemes)[number][] = schemes,
): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height });
    for (const colorScheme of shown) {
      await page.emulateMedia({ colorScheme });
      const faults = await audit.faults(width);
      // A list that is too long for people is too long for axe, which checks every row.
      const isLong = faults.some(({ check }) => check === 'length');
      const others = isLong ? [] : await audit.axe();
      add(`${width} px ${colorScheme}`, [...faults, ...others, ...audit.errors()]);
    }
  }
}

/** Goes to another page and back, with a clock at which all data are stale. */
async function readAgain({ page, audit }: PageCheck): Promise<void> {
  const here = page.url();
  await page.evaluate(`{ const now = Date.now; Date.now = () => now() + ${staleMs}; }`);
  const other = here.includes('/console/models') ? 'health' : 'models';
  await page.evaluate(`document.querySelector('a[href="/console/${other}"]').click()`);
  await until(async () => page.url().includes(`/console/${other}`));
  await page.goBack();
  await until(async () => page.url() === here);
  await audit.settled();
}

/** The page must name the failure, and offer a retry. */
async function missingAlert(page: Page, status: number): Promise<readonly Fault[]> {
  const alerts = await page.getByRole('main').getByRole('alert').allInnerTexts();
  const element = 'main';
  if (alerts.length === 0) return [{ check: 'alert', element, figure: 'no alert' }];
  const isNamed = alerts.some((text) => text.includes(messages[status] ?? ''));
  const again = await page.getByRole('button', { name: /Try again/ }).count();
  return [
    ...(isNamed ? [] : [{ check: 'alert', element, figure: alerts.join(' ').slice(0, 100) }]),
    ...(again > 0 || status === 403 ? [] : [{ check: 'alert', element, figure: 'no Try again' }]),
  ];
}

const messages: Readonly<Record<number, string>> = {
  503: 'The store does not respond',
  403: 'Your role may not see this',
};

function failureOf(status: number) {
  const error = { code: `HTTP_${status}`, message: messages[status] };
  return { status, contentType: 'application/json', body: JSON.stringify({ error }) };
}
