import { readFileSync } from 'node:fs';
import { packagePath } from '../install.ts';
import type { Page } from './driver.ts';

interface Violation {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly {
    readonly target: readonly unknown[];
    readonly failureSummary: string;
  }[];
}

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** The findings of axe on the current page: a line for each. */
export async function axeFindings(page: Page): Promise<readonly string[]> {
  // Loaded through the debugger, which the page's own script policy does not restrict.
  const isThere = await page.evaluate<boolean>(`typeof axe === 'object'`);
  if (!isThere) await page.evaluate(readFileSync(packagePath('axe-core/axe.min.js'), 'utf8'));
  const options = JSON.stringify({ runOnly: tags, resultTypes: ['violations'] });
  const violations = await page.evaluate<readonly Violation[]>(
    `axe.run(document, ${options}).then(({ violations }) => violations)`,
  );
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => {
      return `${id} (${help}) at ${target.join(' ')}: ${failureSummary.replaceAll(/\s+/g, ' ')}`;
    }),
  );
}
