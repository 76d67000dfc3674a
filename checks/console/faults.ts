import { auditOf, type Fault, prepareAudit } from './browser/audit.ts';
import type { Browser } from './browser/driver.ts';

interface Plant {
  readonly check: string;
  readonly width?: number;
  /** Runs in the page; `main` is its content, `add` puts an element named "planted" there. */
  readonly source: string;
}

/** One small fault for each check; the check must name it. */
const plants: readonly Plant[] = [
  { check: 'viewport', source: 'Object.defineProperty(window, "innerWidth", { value: 980 })' },
  { check: 'sideways', source: 'add("p").style.width = "1500px"' },
  { check: 'lines', source: 'add("button", "planted words ".repeat(9)).style.width = "140px"' },
  { check: 'lines', source: 'add("label", "planted words ".repeat(30))' },
  { check: 'cut', source: 'Object.assign(add("p").style, cut)' },
  { check: 'cut', source: 'Object.assign(add("p").style, cut, { textOverflow: "ellipsis" })' },
  {
    check: 'cut',
    source: 'Object.assign(add("p").style, { height: "9px", overflow: "hidden" })',
  },
  {
    check: 'cut',
    source: `Object.assign(add("button").style, cut); add("button").title = "planted"`,
  },
  { check: 'rows', width: 768, source: 'table().style.height = "73px"' },
  { check: 'rows', width: 390, source: 'table().style.height = "121px"' },
  { check: 'length', source: 'table(201)' },
  {
    check: 'table',
    source: `const box = table().closest("div");
      Object.assign(box.style, { width: "80px", overflowX: "auto" });
      box.firstChild.style.width = "90px"`,
  },
  { check: 'words', source: 'add("p", "planted 12 pico-USD")' },
  { check: 'words', source: 'add("p", "planted <$0.01")' },
  { check: 'words', source: 'add("p", "planted Invalid Date")' },
  { check: 'words', source: 'add("p", "planted -5 min ago")' },
  { check: 'zone', source: 'add("p", "planted at 14:47:08")' },
  { check: 'forbidden', source: 'add("p").setAttribute("style", "color: red")' },
  { check: 'axe', source: 'add("img").src = "data:,"' },
  { check: 'console', source: 'console.error("planted")' },
  { check: 'console', source: 'setTimeout(() => { throw new Error("planted"); })' },
  { check: 'shift', source: 'main.prepend(main.lastChild.cloneNode(true))' },
  { check: 'tab', source: 'add("button").tabIndex = -1' },
  {
    check: 'tab',
    source: `add("button").addEventListener("focus", () => main.querySelector("a").focus())`,
  },
];

/** Functions that plant faults. */
const tools = `
  const main = document.querySelector('main');
  const cut = { width: '60px', overflow: 'hidden', whiteSpace: 'nowrap' };
  const add = (name, text = 'planted words that need some room') => {
    const element = document.createElement(name);
    element.textContent = text;
    main.append(element);
    return element;
  };
  const table = (count = 1) => {
    const [box, made] = [document.createElement('div'), document.createElement('table')];
    for (let row = 0; row < count; row += 1)
      made.insertRow().insertCell().textContent = 'planted ' + row;
    main.append(box);
    box.append(made);
    return made.rows[0];
  };
`;

/** A page without a fault, and under the console's own policy. */
const page = `<!doctype html><html lang="en"><title>Planted</title>
  <meta name="viewport" content="width=device-width">
  <meta http-equiv="content-security-policy" content="default-src 'none'; img-src data:">
  <main><h1>Planted</h1><p><a href="/a">A link</a></p><p>At 14:47 UTC</p></main></html>`;
const unbound = page
  .replace(/<meta http-equiv[^>]*>/, '')
  .replace('</main>', '<img alt="" src="http://other.invalid/planted.png"></main>');

const url = 'http://console.invalid';

/** Plants one fault for each check. Returns the count, and a line for each that is not found. */
export async function plantFaults(browser: Browser) {
  const missed: string[] = [];
  const clean = await auditPage(browser, page, undefined);
  for (const { check, figure } of clean)
    missed.push(`a clean page has a fault: ${check} ${figure}`);
  for (const plant of plants) {
    const faults = await auditPage(browser, page, plant);
    if (!faults.some(({ check }) => check === plant.check))
      missed.push(`${plant.check} does not find ${plant.source}`);
    // The browser also reports policy violations, and axe also covers other checks.
    const both = new Set(['axe', ...(plant.check === 'forbidden' ? ['console'] : [])]);
    const others = faults.filter(({ check }) => check !== plant.check && !both.has(check));
    for (const { check, element } of others)
      missed.push(`${check} finds ${element}, where ${plant.source}`);
  }
  const hosts = await auditPage(browser, unbound, undefined);
  if (!hosts.some(({ check }) => check === 'host')) missed.push('a request elsewhere is not found');
  return { count: plants.length + 1, missed };
}

async function auditPage(browser: Browser, body: string, plant: Plant | undefined) {
  const { width = 1440, source } = plant ?? {};
  const context = await browser.newContext({ viewport: { width, height: 900 } });
  context.setDefaultTimeout(10_000);
  try {
    await prepareAudit(context);
    const opened = await context.newPage();
    await opened.route(/console\.invalid/, (route) =>
      route.fulfill({ status: 200, contentType: 'text/html', body }),
    );
    const audit = auditOf(opened, url);
    await opened.goto(`${url}/console/`);
    await audit.settled();
    await audit.markShifts();
    if (source !== undefined) await opened.evaluate(`(() => { ${tools} ${source} })()`);
    const [first, faults] = [await audit.shifts(), await audit.faults(width)];
    const rest = [...(await audit.tabs()), ...(await audit.axe()), ...audit.errors()];
    return [...onlyOf(plant, first), ...faults, ...rest] satisfies Fault[];
  } finally {
    await context.close();
  }
}

/** A plant below must move nothing; a plant above moves all. */
function onlyOf(plant: Plant | undefined, shifts: readonly Fault[]): readonly Fault[] {
  return plant === undefined || plant.check === 'shift' ? shifts : [];
}
