import type { Fault } from './audit.ts';
import type { Page } from './driver.ts';

/** Opens and measures each menu and each dialog once. */
export async function dialogFaults(page: Page): Promise<readonly Fault[]> {
  return page.evaluate<readonly Fault[]>(`(async () => { ${inPage} })()`);
}

/** Runs in the page. Waits are for frames: the page reacts to a click within a few. */
const inPage = `
  const [framesMax, linesMax] = [120, 2];
  const frame = () => new Promise(requestAnimationFrame);
  const found = [];
  const add = (check, name, figure) => found.push({ check, element: name.slice(0, 80), figure });
  const all = (what, root = document) =>
    [...root.querySelectorAll(what)].filter((each) => each.checkVisibility());
  const measure = (box, name) => {
    for (const each of all('button, a, label', box)) {
      const lines = layoutAudit.linesOf(each);
      if (lines > linesMax) add('lines', each.textContent + ' in ' + name, lines + ' lines');
    }
    if (box.scrollWidth > box.clientWidth + 1)
      add('sideways', name, box.scrollWidth + ' px in ' + box.clientWidth + ' px');
    const { left, right } = box.getBoundingClientRect();
    if (left < 0 || right > innerWidth) add('sideways', name, left + ' to ' + right + ' px');
  };
  const openers = new Map();
  const note = (each, before) => {
    const name = each.textContent.trim();
    if (!openers.has(name)) openers.set(name, { each, before });
  };
  const menuName = (each) => each.ariaLabel?.replace(/ (of|for) .*/, '') ?? each.textContent;
  for (const name of new Set(all('[popovertarget]').map(menuName))) {
    // The page may have drawn its rows again.
    const each = all('[popovertarget]').findLast((one) => menuName(one) === name);
    if (each === undefined) {
      add('menu', name, 'is gone');
      continue;
    }
    const menu = document.getElementById(each.getAttribute('popovertarget'));
    each.click();
    await frame();
    await frame();
    measure(menu, 'the menu ' + name);
    for (const item of all('button', menu))
      if (item.textContent.trim().endsWith('…')) note(item, each);
    if (menu.matches(':popover-open')) menu.hidePopover();
    await frame();
  }
  for (const each of all('[aria-haspopup="dialog"]')) note(each);
  for (const [name, { each, before }] of openers) {
    before?.click();
    each.click();
    let dialog = null;
    for (let frames = 0; dialog === null && frames < framesMax; frames += 1) {
      await frame();
      dialog = document.querySelector('dialog[open]');
    }
    if (dialog === null) add('dialog', name, 'opens nothing');
    else measure(dialog, 'the dialog ' + name);
    dialog?.close();
    for (let frames = 0; document.querySelector('dialog[open]') && frames < framesMax; frames += 1)
      await frame();
  }
  return found;
`;
