import { checkSync } from 'recheck';
import { vi } from 'vitest';

/**
 * Whether a pattern takes linear time, as its checker reports it. The checker runs in this process
 * and without time limits, so the result is the same on every machine.
 */
export function checkPattern(text: string): string {
  const end = text.lastIndexOf('/');
  vi.stubEnv('RECHECK_SYNC_BACKEND', 'pure');
  const found = checkSync(text.slice(1, end), text.slice(end + 1), {
    timeout: null,
    attackTimeout: null,
    attackLimit: 10_000_000,
    incubationTimeout: null,
  });
  vi.unstubAllEnvs();
  if (found.status === 'unknown') return `unknown: ${found.error.kind}`;
  return found.status === 'safe'
    ? found.complexity.summary
    : `vulnerable: ${found.complexity.summary}`;
}
