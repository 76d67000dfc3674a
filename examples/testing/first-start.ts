import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { readRepositoryFile, rootFolder } from './markdown.ts';

/** A service that was started for the first time, as `npm start` does it. */
export interface FirstStart {
  readonly url: string;
  /** What it printed, line by line. */
  readonly lines: readonly string[];
  /** The key that it printed for an app. */
  keyOf(app: string): string;
  stop(): Promise<void>;
}

/**
 * Starts the service with the repository's own configuration, on free ports and on an empty store
 * in a folder of its own, and waits for its last printed line.
 */
export async function firstStart(): Promise<FirstStart> {
  const folder = await mkdtemp(join(tmpdir(), 'model-gateway-example-'));
  await writeFile(join(folder, 'gateway.yaml'), onFreePorts(readRepositoryFile('gateway.yaml')));
  const launcher = join(rootFolder, 'packages/server/bin/model-gateway.js');
  const { MODEL_GATEWAY_CONFIG: _config, MODEL_GATEWAY_STORE: _store, ...env } = process.env;
  const child = spawn(process.execPath, [launcher, 'serve'], { cwd: folder, env });
  const ended = once(child, 'exit');
  let log = '';
  child.stderr.on('data', (chunk: Buffer) => {
    log += chunk.toString('utf8');
  });
  const lines: string[] = [];
  const printed = new Promise<void>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      lines.push(line);
      if (line.startsWith('curl ')) resolve();
    });
  });
  await Promise.race([
    printed,
    ended.then(() => assert.fail(`the service ended before it was ready: ${log}`)),
  ]);
  const url = /http:\S+/.exec(lines.join('\n'))?.[0];
  assert(url !== undefined, 'the first line has the URL');
  return {
    url,
    lines,
    keyOf(app) {
      const key = lines.map((line) => line.trim().split(/\s+/)).find(([name]) => name === app)?.[1];
      assert(key !== undefined, `no key was printed for ${app}`);
      return key;
    },
    async stop() {
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function onFreePorts(yaml: string): string {
  return yaml.replace('port: 8787', 'port: 0').replace('port: 8788', 'port: 0');
}
