import type { Locator, Page } from '../browser/driver.ts';

/** The input devices: the mouse, or only the keyboard. */
export const manners = ['mouse', 'keyboard'] as const;
/** One of {@link manners}. */
export type Manner = (typeof manners)[number];

/** A person's possible actions on a page. */
export interface Hands {
  readonly manner: Manner;
  /** How often a button or a link was pressed. */
  presses(): number;
  /** Presses a button, or follows a link, of this name. */
  press(role: 'button' | 'link', name: string | RegExp): Promise<void>;
  /** Follows the first link, or presses the first button, of the first row that has one. */
  pressFirst(within: 'row', role: 'button' | 'link'): Promise<void>;
  /** Chooses a file of this machine in the field of this label. */
  pickFile(label: string | RegExp, path: string): Promise<void>;
  /** Writes into the field of this label, in place of its text. */
  write(label: string | RegExp, text: string): Promise<void>;
}

const stepsMax = 150;

/** The actions with this input device. */
export function handsOn(page: Page, manner: Manner): Hands {
  let presses = 0;
  return {
    manner,
    presses: () => presses,
    press: (role, name) => pressOne(page.getByRole(role, { name }).first()),
    pressFirst: (within, role) => pressOne(page.getByRole(within).getByRole(role).first()),
    async pickFile(label, path) {
      const coming = page.waitForEvent('filechooser');
      await reach(label);
      if (manner === 'keyboard') await page.keyboard.press('Enter');
      await (await coming).setFiles(path);
    },
    async write(label, text) {
      await reach(label);
      await page.keyboard.press('Control+a');
      await page.keyboard.type(text);
    },
  };

  async function pressOne(target: Locator) {
    presses += 1;
    await target.waitFor({ state: 'visible' });
    if (manner === 'mouse') return target.click();
    await tabTo(page, target);
    await page.keyboard.press('Enter');
  }

  async function reach(label: string | RegExp) {
    const field = page.getByLabel(label).first();
    await field.waitFor({ state: 'visible' });
    if (manner === 'mouse') await field.click();
    else await tabTo(page, field);
  }
}

/** Presses Tab until the target has the focus, as a person without a mouse does. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let step = 0; step < stepsMax; step++) {
    if (await hasFocus(target)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`${stepsMax} times Tab did not reach ${await target.innerText()}`);
}

async function hasFocus(target: Locator): Promise<boolean> {
  return target.evaluate((element) => element === element.ownerDocument.activeElement);
}
