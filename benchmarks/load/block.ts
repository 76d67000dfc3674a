import { readRunMicros } from '../measure.ts';
import type { Target } from './job.ts';
import { expectedText } from './operation.ts';

const connections = 16;

/**
 * Processor time of a process for each call, in µs, in a block of so many. Throws for a bad
 * response.
 */
export async function microsOfBlock(pid: number, target: Target, calls: number): Promise<number> {
  const before = readRunMicros(pid);
  let remaining = calls;
  const caller = async () => {
    while (remaining-- > 0) await call(target);
  };
  await Promise.all(Array.from({ length: connections }, caller));
  return (readRunMicros(pid) - before) / calls;
}

async function call({ url, path, headers, body }: Target) {
  const init = {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body,
  };
  const response = await fetch(`${url}${path}`, init);
  const text = await response.text();
  if (response.status !== 200 || !text.includes(expectedText)) throw new Error(text.slice(0, 500));
}
