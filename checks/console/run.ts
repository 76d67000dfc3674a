import { mkdirSync } from 'node:fs';
import process from 'node:process';
import { type Scope, withScope } from '../../harness/scope.ts';
import type { Browser, Page } from './browser/driver.ts';
import { chooseBrowser, openBrowser } from './browser/open.ts';
import { checkPages, pages } from './check-pages.ts';
import { configuration } from './configuration.ts';
import { plantFaults } from './faults.ts';
import { measure, measurePrepare } from './figures.ts';
import { fillHouse } from './filling/fill-house.ts';
import { fillLong } from './filling/fill-long.ts';
import { emptyConfiguration, longApp, longConfiguration } from './filling/long-configuration.ts';
import { servePages } from './fixtures/serve.ts';
import { type House, openHouse, type StoreKind } from './house.ts';
import { artefacts, installBrowser } from './install.ts';
import { measureLayouts } from './layout.ts';
import { checkMatrix, states } from './matrix.ts';
import { consolePages } from './pages.ts';
import { firstCall } from './stories/first-call.ts';
import { manners } from './stories/hands.ts';
import { stories } from './stories/stories.ts';
import { logIn, visit } from './stories/visit.ts';

const runMsMax = 1_800_000;
const [browserName = 'chromium'] = process.argv.slice(2).filter((word) => !word.startsWith('--'));
/** The number of calls in the ledger before the first check. */
const calls = Number(optionOf('calls') ?? 1_000_000);
const onlyStore = optionOf('store');
const kinds = (['sqlite', 'postgres'] as const).filter(
  (kind) => onlyStore === undefined || onlyStore === kind,
);
let surprises = 0;

await withScope(runMsMax, async (scope) => {
  if (!process.argv.includes('--installed')) await installBrowser();
  mkdirSync(artefacts, { recursive: true });
  const { what, ms, aimMs } = await measurePrepare();
  print(`${what}: ${Math.round(ms)} ms (aim ${aimMs})`);
  const browser = await openBrowser(await chooseBrowser(browserName));
  scope.add(() => browser.close());
  print(`Chromium ${browser.version()}`);
  const only = optionOf('only');
  const isChosen = (part: string) => only === undefined || only === part;
  if (isChosen('faults')) await plantAll(browser);
  if (isChosen('layout')) await measureAll(scope, browser);
  if (isChosen('pages')) await checkStates(scope, browser);
  if (!isChosen('stories')) return;
  for (const kind of kinds) await runStories(scope, { browser, kind });
});
print(surprises === 0 ? 'no surprise' : `${surprises} surprises`);
process.exitCode = surprises === 0 ? 0 : 1;

/** Each check of the pages must find the fault that is planted for it. */
async function plantAll(browser: Browser) {
  const { count, missed } = await plantFaults(browser);
  for (const line of missed) surprise(line);
  print(`faults: ${count} planted, ${count - missed.length} found`);
}

/** Every page of the service itself: full, empty, slow and failing. */
async function checkStates(scope: Scope, browser: Browser) {
  const full = await openHouse(scope, { kind: 'sqlite', configuration: longConfiguration });
  const ids = await fillLong(full);
  const empty = await openHouse(scope, { kind: 'sqlite', configuration: emptyConfiguration });
  const onlyState = optionOf('state');
  const chosen = states.filter((state) => onlyState === undefined || onlyState === state);
  for (const state of chosen) {
    const house = state === 'empty' ? empty : full;
    const access = { name: 'matrix@acme', role: 'operator', apps: undefined } as const;
    const enter = (page: Page) => logIn(page, house, access);
    const all = consolePages({ ...ids, app: state === 'empty' ? 'search' : longApp });
    const parts = { url: house.adminUrl, state, pages: all, enter, report: print };
    const { count, findings } = await checkMatrix(browser, parts);
    for (const line of findings) surprise(line);
    print(`pages, ${state}: ${count} checks, ${findings.length} findings`);
  }
}

async function measureAll(scope: Scope, browser: Browser) {
  const { count, findings } = await measureLayouts(browser, await servePages(scope, 'long'));
  for (const line of findings) surprise(line);
  print(`layout: ${count} addresses measured, ${findings.length} findings`);
}

/** Runs every story, once with the mouse and once with the keyboard. */
async function runStories(scope: Scope, { browser, kind }: { browser: Browser; kind: StoreKind }) {
  const empty = await openHouse(scope, { kind, configuration });
  await attempt(`${kind}: the first five minutes`, () =>
    visit({ browser, house: empty, manner: 'mouse' }, { role: 'operator' }, firstCall),
  );
  const house = await openHouse(scope, { kind, configuration });
  await fillHouse(house.service, calls);
  const chosen = stories.filter(({ name }) => name.includes(optionOf('story') ?? ''));
  for (const manner of manners) {
    for (const { name, person, run } of chosen) {
      await attempt(`${kind}, ${manner}: ${name}`, () =>
        visit({ browser, house, manner }, person, run),
      );
    }
  }
  await checkAll(browser, house, kind);
  for (const { what, ms, aimMs } of await measure(browser, house)) {
    if (Number.isNaN(ms)) surprise(`${kind}: ${what} could not be measured`);
    print(`${kind}: ${what}: ${Math.round(ms)} ms (aim ${aimMs})`);
  }
}

async function attempt(what: string, work: () => Promise<void>) {
  try {
    await work();
    print(`${what}: yes`);
  } catch (error) {
    surprise(`${what}: ${error instanceof Error ? error.message : error}`);
  }
}

/** Every page of the service itself, in both themes. */
async function checkAll(browser: Browser, house: House, kind: StoreKind) {
  const access = { name: 'checks@acme', role: 'operator', apps: undefined } as const;
  const enter = (page: Page) => logIn(page, house, access);
  const findings = await checkPages(browser, { url: house.adminUrl, state: kind, enter });
  for (const line of findings) surprise(line);
  print(`${kind}: ${Object.keys(pages).length} pages checked, ${findings.length} findings`);
}

function optionOf(name: string): string | undefined {
  return process.argv.find((word) => word.startsWith(`--${name}=`))?.split('=')[1];
}

function surprise(text: string) {
  surprises += 1;
  print(`  SURPRISE ${text}`);
}

function print(text: string) {
  process.stdout.write(`${text}\n`);
}
