import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { spawnNode, stopChild } from '../../../benchmarks/processes/child.ts';
import type { Scope } from '../../../benchmarks/processes/scope.ts';
import type { Stranger } from './stranger.ts';

const readyMs = 30_000;

/** Starts a server on a free port and gives its URL once it answers. */
export async function startStranger(
  scope: Scope,
  { stranger, folder }: { readonly stranger: Stranger; readonly folder: string },
): Promise<string> {
  const port = await freePort();
  const command = stranger.command({ folder, port });
  const child = spawnNode(command);
  scope.add(() => stopChild(child));
  // Its own words are of no use; unread, they would stop it in the end.
  child.stdout?.resume();
  const url = `http://127.0.0.1:${port}`;
  for (let waitedMs = 0; waitedMs < readyMs && child.exitCode === null; waitedMs += 100) {
    if (await answers(url)) return url;
    await sleep(100);
  }
  const words = command.logFile === undefined ? '' : readFileSync(command.logFile, 'utf8');
  throw new Error(`${stranger.name} is not ready ${words.slice(-2_000)}`);
}

async function answers(url: string): Promise<boolean> {
  try {
    const { ok } = await fetch(`${url}/health`);
    return ok;
  } catch {
    // Nobody listens yet: it is asked again until its time is over.
    return false;
  }
}

/** Not every server says which port it took of port 0, so one is looked for. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => {
        if (typeof address === 'object' && address !== null) resolve(address.port);
        else reject(new Error('no free port'));
      });
    });
  });
}
