import { copyFile, rm } from 'node:fs/promises';
import { operator } from '@model-gateway/server/cli/process/context';
import { type OpenService, openService } from '@model-gateway/server/compose/open-service';
import { loadConfig } from '@model-gateway/server/config/load-config';
import type { Config } from '@model-gateway/server/domain/config';
import { createFetch } from '@model-gateway/server/ingress/http/fetch';
import type { Clock } from '@model-gateway/server/lib/clock';
import { createIds } from '@model-gateway/server/lib/id';
import { silentLog } from '@model-gateway/server/lib/log';
import { formatUsd } from '@model-gateway/server/lib/money';
import { issueKey } from '@model-gateway/server/operations/keys/keys';
import { createSimulator } from '@model-gateway/simulator';
import { embedded } from '../../simulator/embedded.ts';
import { attackModels } from '../arena/accounts.ts';
import type { Arena } from '../arena/arena.ts';
import { modelLine } from '../arena/attack-yaml.ts';
import { kindPicoUsd, type RestoredKind, restoredKinds, restoredYaml } from './kinds.ts';

/** Its file is copied and restored between two services. */
export interface RestoredService extends OpenService {
  send(app: string, call: { readonly label: string; readonly body: string }): Promise<Response>;
}

/** Services start on it one after the other; all share the platform. */
export interface RestoredStore {
  readonly bill: ReturnType<typeof createSimulator>['bill'];
  /** Its clock is `behindMs` late. */
  serve(behindMs: number, work: (service: RestoredService) => Promise<void>): Promise<void>;
  /** Only the file, without its neighbors. */
  backUp(): Promise<void>;
  restore(): Promise<void>;
}

export function openRestored({ context }: Pick<Arena, 'context'>, path: string): RestoredStore {
  const simulator = createSimulator({ clock: context.clock });
  const config = readConfig(path);
  const keys = new Map<string, string>();
  const backup = `${path}.backup`;
  return {
    bill: () => simulator.bill(),
    backUp: () => copyFile(path, backup),
    async restore() {
      await copyFile(backup, path);
      for (const end of ['-wal', '-shm']) await rm(`${path}${end}`, { force: true });
    },
    async serve(behindMs, work) {
      const clock = { ...context.clock, now: () => context.clock.now() - behindMs };
      const service = await open(clock);
      const fetch = createFetch(service.ingress);
      try {
        if (keys.size === 0) await issueKeys(service, fetch);
        await work({ ...service, send });
      } finally {
        await service.stop();
        await service.close();
      }

      function send(app: string, { label, body }: { label: string; body: string }) {
        const headers = headersOf(keys.get(app) ?? '');
        return fetch(`${origin}/v1/chat`, {
          ...{ method: 'POST', body },
          headers: { ...headers, 'idempotency-key': label },
        });
      }
    },
  };

  function open(clock: Clock): Promise<OpenService> {
    return openService(config, {
      ...{ clock, ids: createIds(clock), log: silentLog, actor: operator() },
      onDeath: (error) => context.warn(error.message),
      simulator: embedded(simulator),
    });
  }

  async function issueKeys({ admin, registry }: OpenService, fetch: typeof globalThis.fetch) {
    for (const { app, scope } of restoredKinds) {
      const limits = scope === 'key-month' ? { limits: { monthlyPicoUsd: kindPicoUsd } } : {};
      keys.set(app, (await issueKey(admin, { app, email: 'attack@acme.example', ...limits })).key);
    }
    await registry.refresh();
    const running = restoredKinds.find(({ scope }) => scope === 'run')?.app ?? '';
    const runRequest = { maxCostUsd: formatUsd(kindPicoUsd), expiresInMs: runMs };
    const response = await fetch(`${origin}/v1/runs`, {
      ...{ method: 'POST', headers: headersOf(keys.get(running) ?? '') },
      body: JSON.stringify(runRequest),
    });
    keys.set(running, String(Object(await response.json()).key));
  }
}

const origin = 'https://restored.test';
/** The maximum duration of a run. */
export const runMs = 86_400_000;

function headersOf(key: string) {
  return { 'content-type': 'application/json', 'x-api-key': key };
}

function readConfig(path: string): Config {
  const yaml = restoredYaml({ store: `sqlite:${path}`, models: modelLine(attackModels.asked) });
  const file = `${path}.yaml`;
  const loaded = loadConfig({ file, environment: {}, readFile: () => yaml });
  if ('config' in loaded) return loaded.config;
  throw new Error(loaded.problems.join('\n'));
}

export function isSamePeriod({ span }: RestoredKind, before: string, now: string): boolean {
  const length = { day: 10, month: 7, run: 0 }[span];
  return before.slice(0, length) === now.slice(0, length);
}
