import type { Page } from './driver.ts';

interface Measured {
  readonly width: number;
  /** Opens every dialog once, and measures it too. */
  readonly opensDialogs: boolean;
}

/** The width from which a row has the room of a desk's screen. */
const wideFrom = 768;
const rowMax = { wide: 72, narrow: 120 } as const;

/**
 * Measures the page as it is: buttons of more than one line, rows that are too tall, a page that is
 * wider than the window, and cut text that no button next to it opens.
 */
export async function layoutFaults(page: Page, measured: Measured): Promise<readonly string[]> {
  const { width, opensDialogs } = measured;
  const limit = width >= wideFrom ? rowMax.wide : rowMax.narrow;
  return page.evaluate<readonly string[]>(`(async () => {
    ${inPage}
    return [...(await settled(${limit})), ...(${opensDialogs} ? await dialogs() : [])];
  })()`);
}

/** Opens every cut text with its button: what stays cut. */
export async function openCutTexts(page: Page): Promise<readonly string[]> {
  return page.evaluate<readonly string[]>(`(async () => { ${inPage} return opened(); })()`);
}

/** Runs in the page. Waits are for frames: the page reacts to its own layout within a few. */
const inPage = `
  const all = (what, root = document) =>
    [...root.querySelectorAll(what)].filter((each) => each.checkVisibility());
  const frame = () => new Promise(requestAnimationFrame);
  const textOf = (each) => each.textContent.trim().slice(0, 60);
  const linesOf = (element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    const boxes = [...range.getClientRects()].filter(({ width }) => width > 0);
    let [lines, bottom] = [0, -Infinity];
    for (const box of boxes.toSorted((a, b) => a.top - b.top)) {
      if (box.top >= bottom - 2) lines += 1;
      bottom = Math.max(bottom, box.bottom);
    }
    return lines;
  };
  const buttons = (root = document) =>
    all('button, a.button, [role="button"], input[type="submit"]', root).flatMap((each) => [
      ...(linesOf(each) > 1 ? ['a button has ' + linesOf(each) + ' lines: ' + textOf(each)] : []),
      ...(each.scrollWidth > each.clientWidth ? ['a button cuts ' + textOf(each)] : []),
    ]);
  const rows = (limit) =>
    all('tr').flatMap((each) => {
      const { height } = each.getBoundingClientRect();
      return height > limit ? ['a row of ' + Math.round(height) + ' px: ' + textOf(each)] : [];
    });
  const cutTexts = () =>
    all('main *').filter((each) => {
      const { overflowX, overflowY } = getComputedStyle(each);
      const hides = (overflow) => overflow === 'hidden' || overflow === 'clip';
      return (
        !each.matches('.visually-hidden, input, select') &&
        ((hides(overflowX) && each.scrollWidth > each.clientWidth + 1) ||
          (hides(overflowY) && each.scrollHeight > each.clientHeight + 1))
      );
    });
  const closed = () =>
    cutTexts()
      .filter((each) => each.nextElementSibling?.getAttribute('aria-expanded') !== 'false')
      .map((each) => 'nothing opens the cut text ' + textOf(each));
  const failures = () => all('main [role="alert"]').map((each) => 'the page failed: ' + textOf(each));
  const wide = () =>
    document.documentElement.scrollWidth > innerWidth
      ? ['the page is ' + document.documentElement.scrollWidth + ' px wide']
      : [];
  /** The faults that are left once the page had the frames to react. */
  const settled = async (limit) => {
    for (const each of all('details')) each.open = true;
    for (let frames = 0; ; frames += 1) {
      const found = [...failures(), ...wide(), ...buttons(), ...rows(limit), ...closed()];
      if (found.length === 0 || frames > 30) return found;
      await frame();
    }
  };
  /** Every dialog that a button opens, one for each name. */
  const dialogs = async () => {
    const openers = new Map(
      all('[aria-haspopup="dialog"], #root > nav > button').map((each) => [each.textContent, each]),
    );
    const found = [];
    for (const [name, opener] of openers) {
      opener.click();
      let dialog = null;
      for (let frames = 0; dialog === null && frames < 120; frames += 1) {
        await frame();
        dialog = document.querySelector('dialog[open]');
      }
      if (dialog === null) found.push('no dialog opens behind ' + name);
      else found.push(...buttons(dialog).map((each) => each + ' in ' + name));
      if (dialog?.scrollWidth > dialog?.clientWidth) found.push('is wider than itself: ' + name);
      dialog?.close();
      while (document.querySelector('dialog') !== null) await frame();
    }
    return found;
  };
  /** Opens every cut text, which then has all its lines. */
  const opened = async () => {
    for (let frames = 0; cutTexts().length > 0 && frames < 30; frames += 1) {
      for (const each of cutTexts()) each.nextElementSibling?.click();
      await frame();
      await frame();
    }
    return cutTexts().map((each) => 'stays cut: ' + textOf(each));
  };
`;
