import { readFileSync } from 'node:fs';
import { until } from '../../../harness/until.ts';
import { axeFindings } from './axe.ts';
import type { Context, Page, PageRequest } from './driver.ts';

/** A fault of a page: its check, its location, and its figure. */
export interface Fault {
  readonly check: string;
  readonly element: string;
  readonly figure: string;
}

/** Checks one page, at any width and in any scheme. */
export interface Audit {
  /** Waits until all reads have ended, and the page has had the frames to show them. */
  settled(): Promise<void>;
  /** The faults of the visible page, at the given width. */
  faults(width: number): Promise<readonly Fault[]>;
  axe(): Promise<readonly Fault[]>;
  /** From here on, nothing on the page may move. */
  markShifts(): Promise<void>;
  shifts(): Promise<readonly Fault[]>;
  /** Presses Tab until every control has had the focus. */
  tabs(): Promise<readonly Fault[]>;
  /** Errors of the console, and requests to other hosts, since the last call. */
  errors(): readonly Fault[];
}

/** Another scheme starts transitions, and axe must not run in the middle of one. */
const settleColors = `new Promise(requestAnimationFrame).then(() => {
  for (const each of document.getAnimations())
    each.effect.getComputedTiming().iterations === Infinity ? each.cancel() : each.finish();
})`;
const scripts = ['clock', 'texts', 'audit'].map((name) =>
  readFileSync(new URL(`page/${name}.js`, import.meta.url), 'utf8'),
);
/** Reads of the page after it is drawn start a frame later. */
const someFrames = `(async () => {
  for (let frame = 0; frame < 3; frame += 1)
    await new Promise((go) => setTimeout(() => requestAnimationFrame(go)));
})()`;
/** The number of Tab presses on a page with more controls. */
const tabsMax = 120;
/** A fault of a list is a fault of each row: so many of a check are named. */
const namedMax = 3;
/** A fault's line names at most this many positions. */
const positionsMax = 6;

/** Prepares the audit of each page of a context. */
export async function prepareAudit(context: Context): Promise<void> {
  await context.addInitScript({ content: scripts.join('\n') });
}

/** Audits a page, which must not have an address yet; `url` is the only host that it may call. */
export function auditOf(page: Page, url: string): Audit {
  const errors: Fault[] = [];
  const open = new Set<PageRequest>();
  const addError = (check: string, element: string, figure: string) =>
    errors.push({ check, element, figure });
  page.on('pageerror', (error) => addError('console', 'the page', `throws ${error.message}`));
  page.on('console', (message) => {
    const text = message.text();
    // A rejection is a response that the page shows.
    if (message.type() === 'error' && !text.startsWith('Failed to load'))
      addError('console', 'the page', text.slice(0, 200));
  });
  page.on('request', (request) => {
    if (isOther(request.url(), url)) addError('host', 'the page', new URL(request.url()).host);
    else if (!request.url().endsWith('/events')) open.add(request);
  });
  for (const end of ['requestfinished', 'requestfailed'] as const)
    page.on(end, (request) => open.delete(request));
  const inPage = <T>(source: string) => page.evaluate<T>(`layoutAudit.${source}`);
  return {
    async settled() {
      await until(
        async () => {
          if (open.size > 0) return false;
          await page.evaluate(someFrames);
          const isThere = await page.evaluate<boolean>(`document.querySelector('h1') !== null`);
          return isThere && open.size === 0;
        },
        () => `${page.url()} has read everything`,
      );
    },
    faults: (width) => inPage<readonly Fault[]>(`faults({ width: ${width} })`),
    async axe() {
      await page.evaluate(settleColors);
      const lines = await axeFindings(page);
      return lines.map((line) => ({ check: 'axe', element: 'the page', figure: line }));
    },
    markShifts: () => inPage('markShifts()'),
    shifts: () => inPage('shifts()'),
    async tabs() {
      const count = await inPage<number>('beginTabs()');
      // Scrolling parts have a tab stop too; the last press returns to the first control.
      const presses = count > tabsMax ? tabsMax : count + 12;
      for (let press = 0; press < presses; press++) await page.keyboard.press('Tab');
      const faults = await inPage<readonly Fault[]>('endTabs()');
      return count > tabsMax ? faults.filter(({ figure }) => figure !== '0 times') : faults;
    },
    errors: () => errors.splice(0),
  };
}

/** Collects the faults of one page: the same fault in several positions is one line. */
export function collectFaults() {
  const positions = new Map<string, Set<string>>();
  return {
    add(position: string, faults: readonly Fault[]) {
      for (const { check, element, figure } of faults) {
        const fault = `${check}: ${element} (${figure})`;
        positions.set(fault, (positions.get(fault) ?? new Set()).add(position));
      }
    },
    /** A few of each check, for people. */
    lines(page: string): readonly string[] {
      const counts = new Map<string, number>();
      const shown = [...positions].flatMap(([fault, at]) => {
        const [check = ''] = fault.split(':', 1);
        const count = (counts.get(check) ?? 0) + 1;
        counts.set(check, count);
        const [some, others] = [[...at].slice(0, positionsMax).join('; '), at.size - positionsMax];
        const where = others > 0 ? `${some} and ${others} more` : some;
        return count > namedMax ? [] : [`${page}: ${fault} at ${where}`];
      });
      const more = [...counts].filter(([, count]) => count > namedMax);
      const rest = more.map(([check, count]) => `${page}: ${check}: ${count - namedMax} more`);
      return [...shown, ...rest];
    },
  };
}

function isOther(address: string, url: string): boolean {
  return /^(https?|wss?):/.test(address) && new URL(address).host !== new URL(url).host;
}
