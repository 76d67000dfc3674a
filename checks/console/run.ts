import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { type Scope, withScope } from '../../benchmarks/processes/scope.ts';
import { axeFindings } from './browser/axe.ts';
import { chooseBrowser, openBrowser } from './browser/open.ts';
import { configuration } from './configuration.ts';
import { fillHouse } from './filling/fill-house.ts';
import { servePages } from './fixtures/serve.ts';
import { openHouse, type StoreKind } from './house.ts';
import { artefacts, installBrowser } from './install.ts';
import { lookAtPages, pages } from './looks.ts';

const runMsMax = 1_800_000;
const [wanted = 'chromium'] = process.argv.slice(2).filter((word) => !word.startsWith('--'));
/** So many are in the ledger before anybody looks. */
const calls = Number(optionOf('calls') ?? 1_000_000);
const kinds: readonly StoreKind[] = ['sqlite', 'postgres'];
let surprises = 0;

await withScope(runMsMax, async (scope) => {
  if (!process.argv.includes('--installed')) await installBrowser();
  mkdirSync(artefacts, { recursive: true });
  const browser = await openBrowser(await chooseBrowser(wanted));
  scope.add(() => browser.close());
  print(`Chromium ${browser.version()}`);
  for (const state of ['full', 'empty', 'error'] as const) {
    const url = await servePages(scope, state);
    const found = await lookAtPages(browser, { url, state });
    for (const line of found) surprise(line);
    print(`pages, ${state}: ${Object.keys(pages).length} looked at, ${found.length} findings`);
  }
  for (const kind of kinds) await visit(scope, { browser, kind });
});
print(surprises === 0 ? 'no surprise' : `${surprises} surprises`);
process.exitCode = surprises === 0 ? 0 : 1;

/** Looks at what the admin listener shows. */
async function visit(
  scope: Scope,
  { browser, kind }: { browser: Awaited<ReturnType<typeof openBrowser>>; kind: StoreKind },
) {
  const { adminUrl, service } = await openHouse(scope, { kind, configuration });
  await fillHouse(service, calls);
  const context = await browser.newContext({ colorScheme: 'light' });
  const page = await context.newPage();
  const answer = await page.goto(`${adminUrl}/openapi.json`);
  if (answer?.status() !== 200) surprise(`/openapi.json answers ${answer?.status()}`);
  await page.screenshot({ path: join(artefacts, `${kind}-openapi.png`) });
  const findings = await axeFindings(page);
  const size = (await answer?.text())?.length ?? 0;
  print(`${kind}: ${size} characters, axe ${findings.length}`);
  await context.close();
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
