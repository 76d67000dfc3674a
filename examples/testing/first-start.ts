import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { start } from '../../harness/process.ts';
import { readRepositoryFile, rootFolder } from './markdown.ts';

/** A service that was started for the first time, as `npm start` does it. */
export interface FirstStart {
  readonly url: string;
  /** Its output, line by line. */
  lines(): readonly string[];
  /** The key that it printed for an app. */
  keyOf(app: string): string;
  stop(): Promise<void>;
}

/**
 * Starts the service with the repository's own configuration, on free ports and on an empty store
 * in its own folder. Waits for its last printed line.
 */
export async function firstStart(): Promise<FirstStart> {
  const folder = await mkdtemp(join(tmpdir(), 'model-gateway-example-'));
  await writeFile(join(folder, 'gateway.yaml'), onFreePorts(readRepositoryFile('gateway.yaml')));
  const launcher = join(rootFolder, 'packages/server/bin/model-gateway.js');
  const environment = { MODEL_GATEWAY_CONFIG: undefined, MODEL_GATEWAY_STORE: undefined };
  const service = start(process.execPath, [launcher, 'serve'], { cwd: folder, environment });
  await service.printed(/^curl .*\n/m);
  const lines = () => service.stdout().trimEnd().split('\n');
  const url = /http:\S+/.exec(service.stdout())?.[0];
  assert(url !== undefined, 'the first line has the URL');
  return {
    url,
    lines,
    keyOf(app) {
      const key = lines()
        .map((line) => line.trim().split(/\s+/))
        .find(([name]) => name === app)?.[1];
      assert(key !== undefined, `no key was printed for ${app}`);
      return key;
    },
    async stop() {
      await service.end();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function onFreePorts(yaml: string): string {
  return yaml.replace('port: 8787', 'port: 0').replace('port: 8788', 'port: 0');
}
