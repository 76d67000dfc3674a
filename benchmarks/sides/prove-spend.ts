import { until } from '../../harness/until.ts';
import type { Target } from '../load/job.ts';

/**
 * Calls another gateway once, and waits until each of its budget reports has a sum above 0. A
 * budget that counts no call costs nothing, and the side would measure something else.
 */
export async function proveSpend(
  { url, path, body }: Target,
  reports: readonly string[],
  field: string,
): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(url + path, { method: 'POST', headers, body });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`it does not answer: ${answer.status} ${text}`);
  for (const report of reports) await untilSpent(url + report, field);
}

async function untilSpent(url: string, field: string) {
  let text = '';
  await until(
    async () => {
      text = await (await fetch(url)).text();
      return hasSpent(JSON.parse(text), field);
    },
    () => `a call in a budget of ${text}`,
  );
}

/** Whether a number with this name is above 0 anywhere in a report. */
export function hasSpent(report: unknown, field: string): boolean {
  if (typeof report !== 'object' || report === null) return false;
  return Object.entries(report).some(
    ([name, value]) =>
      (name === field && typeof value === 'number' && value > 0) || hasSpent(value, field),
  );
}
