import { expect } from '../image/steps.ts';
import { expectBilled } from './bill.ts';
import type { Versions } from './side-by-side.ts';
import { apps, callAll, issueKey } from './versions.ts';

/** Both versions must agree on these: each is a command that prints a document. */
const reports = [
  ['usage'],
  ['budgets', 'show', 'research'],
  ['keys', 'list'],
  ['report', '--month', new Date().toISOString().slice(0, 7)],
] as const;

/** Fills a SQLite store with the old version, stops it, and continues with the new one. */
export async function runUpgrade({ steps, setting, old, new: current }: Versions): Promise<void> {
  const keys: string[] = [];
  let before: readonly unknown[] = [];

  await steps.step('the old version fills a SQLite store', async () => {
    const served = await old.serve();
    for (const app of apps) keys.push((await issueKey(old, app, [served])).key);
    await old.command('budgets', 'set', 'research', '--apps', 'all', '--daily-usd', '500');
    const calls = await callAll([served], keys, 60);
    expect((await served.end('SIGTERM')) === 0, 'the shutdown has lost calls');
    before = await Promise.all(reports.map((words) => old.command(...words)));
    return calls;
  });
  await steps.step('the new version upgrades it: audit clean, the same totals', async () => {
    await current.command('audit');
    for (const [index, words] of reports.entries()) {
      const difference = differenceOf(before[index], await current.command(...words));
      expect(difference === undefined, `${words.join(' ')}: ${difference}`);
    }
    return expectBilled(setting);
  });
  await steps.step('the new version serves it: audit clean, every call booked', async () => {
    const served = await current.serve();
    await callAll([served], keys);
    expect((await served.end('SIGTERM')) === 0, 'the shutdown has lost calls');
    await current.command('audit');
    return expectBilled(setting);
  });
}

/** The path of a value that differs from the older document; the newer document may have more. */
function differenceOf(older: unknown, newer: unknown, path = 'it'): string | undefined {
  if (typeof older !== 'object' || older === null) {
    return older === newer ? undefined : `${path} was ${older} and is now ${newer}`;
  }
  const values = new Map(Object.entries(Object(newer)));
  for (const [name, value] of Object.entries(older)) {
    const difference = differenceOf(value, values.get(name), `${path}.${name}`);
    if (difference !== undefined) return difference;
  }
  return undefined;
}
