import type { Locator, Page } from '../browser/driver.ts';

/** How a person reaches things: with the mouse, or with the keyboard alone. */
export const manners = ['mouse', 'keyboard'] as const;
/** One of {@link manners}. */
export type Manner = (typeof manners)[number];

/** The hands of a person before a page: nothing is done but what they can do. */
export interface Hands {
  readonly manner: Manner;
  /** Presses a button, or follows a link, of this name. */
  press(role: 'button' | 'link', name: string | RegExp): Promise<void>;
  /** Writes into the field of this label, in place of what is there. */
  write(label: string, text: string): Promise<void>;
}

const stepsMax = 150;

/** Hands that move so. */
export function handsOn(page: Page, manner: Manner): Hands {
  return {
    manner,
    async press(role, name) {
      const wanted = page.getByRole(role, { name }).first();
      await wanted.waitFor({ state: 'visible' });
      if (manner === 'mouse') return wanted.click();
      await tabTo(page, wanted);
      await page.keyboard.press('Enter');
    },
    async write(label, text) {
      const field = page.getByLabel(label).first();
      await field.waitFor({ state: 'visible' });
      if (manner === 'mouse') await field.click();
      else await tabTo(page, field);
      await page.keyboard.press('Control+a');
      await page.keyboard.type(text);
    },
  };
}

/** Goes on with Tab until what is wanted has the focus, as a person without a mouse does. */
async function tabTo(page: Page, wanted: Locator): Promise<void> {
  for (let step = 0; step < stepsMax; step++) {
    if (await hasFocus(wanted)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`${stepsMax} times Tab did not reach ${await wanted.innerText()}`);
}

async function hasFocus(wanted: Locator): Promise<boolean> {
  return wanted.evaluate((element) => element === element.ownerDocument.activeElement);
}
