import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const logMsMax = 10_000;

/** The URL of a service's admin listener: its log names the free port, a little after the start. */
export async function adminUrlIn(logFile: string): Promise<string> {
  for (let waitedMs = 0; waitedMs < logMsMax; waitedMs += 100) {
    const lines = readFileSync(logFile, 'utf8').split('\n');
    const line = lines.find((text) => text.includes('the admin listener is open'));
    const url = line === undefined ? undefined : /https?:\/\/[^\s"]+/.exec(line)?.[0];
    if (url !== undefined) return url;
    await sleep(100);
  }
  throw new Error(`${logFile} does not contain the address of the admin listener`);
}
