import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { serveSimulator } from '@model-gateway/simulator';
import { type Ended, endOf } from '../../harness/process.ts';
import type { Scope } from '../../harness/scope.ts';
import { attackModels, attackRates } from '../../packages/lab/src/attack/arena/accounts.ts';
import { launcher } from '../../packages/server/src/cli/launcher.ts';
import { formatUsd, formatUsdPerMillion } from '../../packages/server/src/lib/money.ts';
import {
  type Served,
  startServed,
  untilKnown,
} from '../../packages/server/test/support/process.ts';

/** An app of the load, with its daily budget. */
export interface LoadApp {
  readonly name: string;
  readonly capPicoUsd: bigint;
  /** The monthly budget of each of its users; undefined without wallets. */
  readonly grantPicoUsd?: bigint;
}

/** Two replicas on one store, their platform, and keys for the load. */
export interface Gateway {
  readonly simulatorUrl: string;
  urls(): readonly string[];
  key(app: string): string;
  /** Runs a command as an operator does; returns its code and its output. */
  command(...argv: readonly string[]): Promise<Ended>;
  /** Ends both replicas, and starts them with another address of the store. */
  restart(storeUrl: string): Promise<void>;
  /** Replicas that ended by themselves, a line each. */
  readonly died: readonly string[];
  /** Lines of the replicas' logs of a level, by message, with counts. */
  logged(level: number): ReadonlyMap<string, number>;
}

const replicas = 2;

/** Starts a simulator and two replicas below a folder; the scope ends them. */
export async function openGateway(
  scope: Scope,
  parts: { readonly folder: string; readonly storeUrl: string; readonly apps: readonly LoadApp[] },
): Promise<Gateway> {
  const { folder, apps } = parts;
  const simulator = await serveSimulator({ port: 0 });
  scope.add(simulator.close);
  await writeFile(join(folder, 'gateway.yaml'), yamlOf(simulator.url, apps));
  let { storeUrl } = parts;
  let running: Served[] = [];
  let ended: Served[] = [];
  const died: string[] = [];
  scope.add(async () => {
    for (const served of running) await served.end('SIGKILL');
  });
  await start();
  const keys = new Map<string, string>();
  for (const { name } of apps) {
    const argv = ['keys', 'issue', '--app', name, '--email', 'load@acme.example', '--json'];
    const { code, output } = await command(...argv);
    if (code !== 0) throw new Error(output);
    const issued: { readonly key: string } = JSON.parse(output);
    keys.set(name, issued.key);
    for (const served of running) await untilKnown(served, issued.key);
  }
  return {
    ...{ simulatorUrl: simulator.url, died, command, logged },
    urls: () => running.map(({ url }) => url),
    key: (app) => keys.get(app) ?? '',
    async restart(url) {
      const stopping = running;
      running = [];
      for (const served of stopping) {
        const code = await served.end('SIGTERM');
        if (code !== 0) died.push(`a replica ended with ${code}`);
      }
      ended = [...ended, ...stopping];
      storeUrl = url;
      await start();
    },
  };

  async function start() {
    const environment = { MODEL_GATEWAY_STORE: storeUrl, MODEL_GATEWAY_LOG: 'warn' };
    for (let index = 0; index < replicas; index++) {
      const served = await startServed(['serve'], { cwd: folder, environment });
      running.push(served);
      served.process.once('exit', (code, signal) => {
        if (running.includes(served)) died.push(`a replica ended by itself: ${code ?? signal}`);
      });
    }
  }

  function command(...argv: readonly string[]) {
    const environment = { MODEL_GATEWAY_STORE: storeUrl };
    const config = ['--config', join(folder, 'gateway.yaml')];
    return endOf(process.execPath, [launcher, ...argv, ...config], { environment });
  }

  function logged(level: number): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const served of [...ended, ...running]) {
      for (const line of served.log().split('\n')) {
        const entry = lineOf(line);
        if (entry?.level !== level) continue;
        counts.set(entry.msg, (counts.get(entry.msg) ?? 0) + 1);
      }
    }
    return counts;
  }
}

function lineOf(line: string): { readonly level: number; readonly msg: string } | undefined {
  if (!line.startsWith('{')) return undefined;
  const { level, msg }: { level: number; msg: string } = JSON.parse(line);
  return { level, msg };
}

/** A credit of the load, small enough that every grant is a whole number of credits. */
const picoUsdPerCredit = 1_000_000n;

function yamlOf(simulatorUrl: string, apps: readonly LoadApp[]): string {
  const { inputPicoUsd, outputPicoUsd } = attackRates;
  const input = `inputUsdPerMillion: "${formatUsdPerMillion(inputPicoUsd)}"`;
  const output = `outputUsdPerMillion: "${formatUsdPerMillion(outputPicoUsd)}"`;
  return [
    // The simulator's projects have the names of this company.
    'company: attack',
    'listen: { port: 0 }',
    'admin: { port: 0 }',
    'store: sqlite:./unused.db',
    'streaming: true',
    `platforms: { sandbox: { kind: simulator, baseUrl: ${JSON.stringify(simulatorUrl)} } }`,
    'plans: { user: { ratePerSecond: 100000, burst: 100000, requestsPerDay: 10000000 } }',
    'models:',
    `  - { id: ${attackModels.asked}, platform: sandbox, upstreamModel: sim-usd-3-15, ${input}, ${output}, contextTokens: 100000 }`,
    'apps:',
    ...apps.map(appLine),
    '',
  ].join('\n');
}

function appLine({ name, capPicoUsd, grantPicoUsd }: LoadApp): string {
  const credits =
    grantPicoUsd === undefined
      ? ''
      : `, credits: { monthlyGrant: "${grantPicoUsd / picoUsdPerCredit}", usdPerCredit: "${formatUsd(picoUsdPerCredit)}" }`;
  return `  - { name: ${name}, dailyBudgetUsd: "${formatUsd(capPicoUsd)}"${credits} }`;
}
