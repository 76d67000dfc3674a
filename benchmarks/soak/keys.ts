import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { run } from '../../harness/process.ts';
import { type SoakApp, soakApps } from './configuration.ts';

/** A running gateway accepts a newly issued key within a second. */
const acceptedMs = 1_500;

/** The keys of the apps, which change while the service runs. */
export interface Keys {
  of(app: SoakApp): string;
  /** Gives one app a new key, and disables the old one when no request uses it any more. */
  rotate(app: SoakApp): Promise<void>;
  rotations(): number;
}

/** Runs one of the gateway's own commands and returns its document. */
export type Command = (words: readonly string[]) => Promise<unknown>;

export function commandsOf(launcher: string, config: string): Command {
  return async (words) => {
    const argv = [launcher, ...words, '--json', '--config', config];
    return JSON.parse(await run(process.execPath, argv));
  };
}

/** Issues a key for each app. `answersMs` is how long a request with an old key may take. */
export async function createKeys(command: Command, answersMs: number): Promise<Keys> {
  const keys = new Map<SoakApp, { readonly id: string; readonly key: string }>();
  let rotations = 0;
  for (const app of soakApps) keys.set(app, await issue(app));
  await sleep(acceptedMs);
  return {
    of(app) {
      const key = keys.get(app)?.key;
      if (key === undefined) throw new Error(`the app ${app} has no key`);
      return key;
    },
    async rotate(app) {
      const old = keys.get(app);
      const fresh = await issue(app);
      await sleep(acceptedMs);
      keys.set(app, fresh);
      await sleep(answersMs);
      if (old !== undefined) await command(['keys', 'disable', old.id]);
      rotations += 1;
    },
    rotations: () => rotations,
  };

  async function issue(app: SoakApp) {
    const issued = await command(['keys', 'issue', '--app', app, '--email', 'soak@acme.example']);
    if (typeof issued !== 'object' || issued === null || !('key' in issued) || !('id' in issued)) {
      throw new Error('keys issue printed no key');
    }
    return { id: String(issued.id), key: String(issued.key) };
  }
}
