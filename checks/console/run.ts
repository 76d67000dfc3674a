import { mkdirSync } from 'node:fs';
import process from 'node:process';
import { type Scope, withScope } from '../../harness/scope.ts';
import type { Browser, Page } from './browser/driver.ts';
import { chooseBrowser, openBrowser } from './browser/open.ts';
import { configuration } from './configuration.ts';
import { measure, measurePrepare } from './figures.ts';
import { fillHouse } from './filling/fill-house.ts';
import { servePages } from './fixtures/serve.ts';
import { type House, openHouse, type StoreKind } from './house.ts';
import { artefacts, installBrowser } from './install.ts';
import { measureLayouts } from './layout.ts';
import { lookAtPages, pages } from './looks.ts';
import { firstCall } from './stories/first-call.ts';
import { manners } from './stories/hands.ts';
import { logIn, visit } from './stories/place.ts';
import { stories } from './stories/stories.ts';

const runMsMax = 1_800_000;
const [wanted = 'chromium'] = process.argv.slice(2).filter((word) => !word.startsWith('--'));
/** So many are in the ledger before anybody looks. */
const calls = Number(optionOf('calls') ?? 1_000_000);
const kinds: readonly StoreKind[] = ['sqlite', 'postgres'];
let surprises = 0;

await withScope(runMsMax, async (scope) => {
  if (!process.argv.includes('--installed')) await installBrowser();
  mkdirSync(artefacts, { recursive: true });
  const { what, ms, aimMs } = await measurePrepare();
  print(`${what}: ${Math.round(ms)} ms (aim ${aimMs})`);
  const browser = await openBrowser(await chooseBrowser(wanted));
  scope.add(() => browser.close());
  print(`Chromium ${browser.version()}`);
  const only = optionOf('only');
  if (only !== 'stories') await measureAll(scope, browser);
  const states = only === undefined ? (['full', 'empty', 'error'] as const) : [];
  for (const state of states) {
    const url = await servePages(scope, state);
    const found = await lookAtPages(browser, { url, state });
    for (const line of found) surprise(line);
    print(`pages, ${state}: ${Object.keys(pages).length} looked at, ${found.length} findings`);
  }
  if (only === 'layout') return;
  for (const kind of kinds) await tellStories(scope, { browser, kind });
});
print(surprises === 0 ? 'no surprise' : `${surprises} surprises`);
process.exitCode = surprises === 0 ? 0 : 1;

/** Measures every page with the longest data. */
async function measureAll(scope: Scope, browser: Browser) {
  const { count, found } = await measureLayouts(browser, await servePages(scope, 'long'));
  for (const line of found) surprise(line);
  print(`layout: ${count} addresses measured, ${found.length} findings`);
}

/** Tells every story, once with the mouse and once with the keyboard. */
async function tellStories(scope: Scope, { browser, kind }: { browser: Browser; kind: StoreKind }) {
  const empty = await openHouse(scope, { kind, configuration });
  await attempt(`${kind}: the first five minutes`, () =>
    visit({ browser, house: empty, manner: 'mouse' }, { role: 'operator' }, firstCall),
  );
  const house = await openHouse(scope, { kind, configuration });
  await fillHouse(house.service, calls);
  for (const manner of manners) {
    for (const { name, person, tell } of stories) {
      await attempt(`${kind}, ${manner}: ${name}`, () =>
        visit({ browser, house, manner }, person, tell),
      );
    }
  }
  await lookAtAll(browser, house, kind);
  for (const { what, ms, aimMs } of await measure(browser, house)) {
    if (Number.isNaN(ms)) surprise(`${kind}: ${what} could not be measured`);
    print(`${kind}: ${what}: ${Math.round(ms)} ms (aim ${aimMs})`);
  }
}

async function attempt(what: string, tell: () => Promise<void>) {
  try {
    await tell();
    print(`${what}: yes`);
  } catch (error) {
    surprise(`${what}: ${error instanceof Error ? error.message : error}`);
  }
}

/** Every page of the service itself, in both themes. */
async function lookAtAll(browser: Browser, house: House, kind: StoreKind) {
  const access = { name: 'looks@acme', role: 'operator', apps: undefined } as const;
  const enter = (page: Page) => logIn(page, house, access);
  const found = await lookAtPages(browser, { url: house.adminUrl, state: kind, enter });
  for (const line of found) surprise(line);
  print(`${kind}: ${Object.keys(pages).length} pages looked at, ${found.length} findings`);
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
