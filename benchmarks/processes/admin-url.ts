import { readFileSync } from 'node:fs';
import { until } from '../../harness/until.ts';

/** The URL of a service's admin listener: its log contains the free port soon after the start. */
export function adminUrlIn(logFile: string): Promise<string> {
  return until(
    () => {
      const lines = readFileSync(logFile, 'utf8').split('\n');
      const line = lines.find((text) => text.includes('admin listener started'));
      return /https?:\/\/[^\s"]+/.exec(line ?? '')?.[0];
    },
    () => `the address of the admin listener in ${logFile}`,
  );
}
