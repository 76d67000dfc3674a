import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import type { Scope } from '../../harness/scope.ts';
import { startServer } from '../../harness/server.ts';
import { until } from '../../harness/until.ts';
import type { Target } from '../load/job.ts';
import { scriptPath } from '../processes/script-path.ts';
import { gatewayOnSqlite } from '../sides/gateway.ts';
import { benchModel } from '../sides/side.ts';
import { logFileOf } from '../sides/start-gateway.ts';
import type { Collected } from './collect.ts';

export interface Side {
  readonly name: string;
  readonly pid: number;
  target(wish: Wish): Target;
  /** Its process's figures since the last request. */
  collect(): Promise<Collected>;
}

export interface Gateway extends Side {
  /** The number of deltas sent to sockets of disconnected callers, by its log. */
  abandonedDeltas(): number;
}

/** The request to the platform: see `upstream.ts`. */
export interface Wish {
  readonly deltas: number;
  readonly gapMs: number;
  readonly characters: number;
}

const collecting = ['--expose-gc', '--import', scriptPath('streams/collect.ts')];

/** The relay that reads no byte. */
export async function startPipe(scope: Scope, folder: string, upstreamUrl: string): Promise<Side> {
  const file = join(folder, 'pipe.collected');
  const argv = [...collecting, scriptPath('streams/pipe.ts'), upstreamUrl];
  const environment = { BENCH_COLLECT_FILE: file };
  const { pid, url } = await startServer(scope, { argv, environment });
  return {
    ...{ name: 'pipe', pid, collect: () => collect(pid, file) },
    target: (wish) => ({ url, path: '/v1/chat/completions', headers: {}, body: bodyOf(wish) }),
  };
}

/** The gateway, with limits for so many streams. */
export async function startGateway(
  scope: Scope,
  parent: string,
  { upstreamUrl, inFlight }: { readonly upstreamUrl: string; readonly inFlight: number },
): Promise<Gateway> {
  const folder = join(parent, 'gateway');
  mkdirSync(folder);
  const file = join(folder, 'collected');
  const limits = { inFlight };
  // A caller that never reads must not count as disconnected.
  const streams = { ...limits, stallMs: 300_000 };
  const setting = {
    ...{ upstreamUrl, folder, limits, more: { streaming: true, streams } },
    nodeOptions: collecting,
    environment: { BENCH_COLLECT_FILE: file },
  };
  const { pid, target } = await gatewayOnSqlite.start(scope, setting);
  if (pid === undefined) throw new Error('the gateway has a process');
  return {
    ...{ name: 'gateway', pid, collect: () => collect(pid, file) },
    target: (wish) => ({ ...target(''), path: '/v1/chat/stream', body: bodyOf(wish) }),
    abandonedDeltas() {
      const log = readFileSync(logFileOf(setting), 'utf8');
      const deltaCounts = Array.from(
        log.matchAll(/"deltas":(\d+),"end":"left"/g),
        ([, deltas]) => deltas,
      );
      return deltaCounts.reduce((sum, deltas) => sum + Number(deltas), 0);
    },
  };
}

async function collect(pid: number, file: string): Promise<Collected> {
  rmSync(file, { force: true });
  process.kill(pid, 'SIGUSR2');
  await until(() => existsSync(file));
  const collected: Collected = JSON.parse(readFileSync(file, 'utf8'));
  return collected;
}

/** The same body for both: the platform reads only the last text. */
function bodyOf(wish: Wish): string {
  const messages = [{ role: 'user', content: JSON.stringify(wish) }];
  return JSON.stringify({ model: benchModel, maxTokens: 16_384, messages });
}
