import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { createClient, LlmError } from '@model-gateway/sdk';
import { type Ended, endOf, run } from '../../harness/process.ts';
import type { Scope } from '../../harness/scope.ts';
import {
  type Served,
  startServed,
  untilKnown,
} from '../../packages/server/test/support/process.ts';
import { expect } from '../image/steps.ts';

/** One of the two versions on a store. */
export interface Version {
  /** Runs a command as an operator does; returns its exit code and its output. */
  tryCommand(...words: readonly string[]): Promise<Ended>;
  /** The same for a command that must succeed; returns its JSON document. */
  command(...words: readonly string[]): Promise<unknown>;
  serve(): Promise<Served>;
}

/** A store with its configuration, and the platform that both versions call. */
export interface Setting {
  readonly folder: string;
  readonly storeUrl: string;
  readonly simulatorUrl: string;
}

/** The apps of both versions. */
export const apps = ['search', 'tutor'] as const;

/** Writes the configuration that all versions of a store share. */
export async function writeConfiguration({ folder, storeUrl, simulatorUrl }: Setting) {
  const yaml = `
company: acme
listen: { port: 0 }
admin: { port: 0 }
store: ${JSON.stringify(storeUrl)}
platforms: { sandbox: { kind: simulator, baseUrl: "${simulatorUrl}" } }
plans: { user: { ratePerSecond: 100000, burst: 100000, requestsPerDay: 10000000 } }
apps:
${apps.map((name) => `  - { name: ${name}, dailyBudgetUsd: "1000" }`).join('\n')}
`;
  await writeFile(join(folder, 'gateway.yaml'), yaml);
}

/** The version that a launcher starts, on the store of a folder's configuration. */
export function versionOf(scope: Scope, launcher: string, { folder }: Setting): Version {
  const config = ['--config', join(folder, 'gateway.yaml')];
  const tryCommand = (...words: readonly string[]) =>
    endOf(process.execPath, [launcher, ...words, ...config]);
  return {
    tryCommand,
    async command(...words) {
      return JSON.parse(await run(process.execPath, [launcher, ...words, '--json', ...config]));
    },
    async serve() {
      const served = await startServed(['serve'], { cwd: folder, launcher });
      scope.add(() => served.end('SIGKILL'));
      return served;
    },
  };
}

/** A key of an app, once all services accept it. */
export async function issueKey(
  { command }: Version,
  app: string,
  services: readonly Served[],
): Promise<{ readonly id: string; readonly key: string }> {
  const words = ['keys', 'issue', '--app', app, '--email', 'a@acme.example'];
  const { id, key }: Record<string, unknown> = Object(await command(...words));
  if (typeof id !== 'string' || typeof key !== 'string') throw new Error('no key was issued');
  for (const service of services) await untilKnown(service, key);
  return { id, key };
}

/** Calls a service; returns "OK" or the code of the error. */
export async function call({ url }: Served, key: string, model = 'sim-echo'): Promise<string> {
  const client = createClient({ baseUrl: `${url}/v1`, apiKey: key, maxAttempts: 1 });
  const messages = [{ role: 'user', content: 'Hello' }] as const;
  try {
    await client.chat({ model, maxTokens: 200, messages });
    return 'OK';
  } catch (error) {
    if (LlmError.is(error)) return error.code;
    throw error;
  }
}

/** Calls every service with every key, so many times from each of some callers. */
export async function callAll(services: readonly Served[], keys: readonly string[], times = 10) {
  const models = ['sim-echo', 'sim-cached', 'sim-reasoning'];
  const callers = services.flatMap((service) =>
    keys.map(async (key) => {
      for (let n = 0; n < times; n++) {
        const code = await call(service, key, models[n % models.length]);
        expect(code === 'OK', `a call ended with ${code}`);
      }
    }),
  );
  await Promise.all(callers);
  return `${callers.length * times} calls`;
}
