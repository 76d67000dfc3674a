import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Command, type ServerProcess, spawnNode, stopChild } from './child.ts';
import type { Scope } from './scope.ts';

const readyMs = 60_000;

/** Starts a server that has to be told its port, and waits until it answers on a path. */
export async function startOnPort(
  scope: Scope,
  parts: {
    readonly command: (port: number) => Command;
    readonly readyPath: string;
  },
): Promise<ServerProcess> {
  const port = await freePort();
  const command = parts.command(port);
  const child = spawnNode(command);
  const stop = () => stopChild(child);
  scope.add(stop);
  let failure: string | undefined;
  child.once('error', (error) => {
    failure = error.message;
  });
  // What it prints is of no use; unread, it would stop it in the end.
  child.stdout?.resume();
  const url = `http://127.0.0.1:${port}`;
  const endMs = Date.now() + readyMs;
  while (Date.now() < endMs && child.exitCode === null && failure === undefined) {
    const { pid } = child;
    if (pid !== undefined && (await isReady(`${url}${parts.readyPath}`))) return { pid, url, stop };
    await sleep(100);
  }
  const { logFile } = command;
  const lastWords = logFile === undefined ? '' : readFileSync(logFile, 'utf8').slice(-500);
  throw new Error(`${command.argv[0]} is not ready: ${failure ?? lastWords}`);
}

async function isReady(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    // Nobody listens yet: it is asked again until its time is over.
    return false;
  }
}

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
