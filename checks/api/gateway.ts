import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { issueKey } from '../../benchmarks/sides/issue-key.ts';
import { run } from '../../harness/process.ts';
import type { Scope } from '../../harness/scope.ts';
import { startServer } from '../../harness/server.ts';

const launcher = fileURLToPath(
  new URL('../../packages/server/bin/model-gateway.js', import.meta.url),
);

/** Its apps: with and without metered credits. */
export type App = 'plain' | 'metered';

/** A running gateway on an empty store, with only the simulator. */
export interface Gateway {
  readonly url: string;
  /** An empty folder for this check's files. */
  readonly folder: string;
  readonly keys: Readonly<Record<App, string>>;
  /** Whether the ledger is correct by its own audit. */
  isClean(): Promise<boolean>;
  /** Lines of its log at the level `error`: the caller must not cause any. */
  errorLines(): readonly string[];
}

/** Starts the gateway as an operator would, with rate limits and budgets that reject nothing. */
export async function startGateway(scope: Scope): Promise<Gateway> {
  const folder = mkdtempSync(join(tmpdir(), 'model-gateway-api-'));
  scope.add(async () => rmSync(folder, { recursive: true, force: true }));
  const config = join(folder, 'gateway.json');
  writeFileSync(config, JSON.stringify(configOf(folder)));
  const keyOf = (app: App) => issueKey({ launcher, config, app });
  const keys = { plain: await keyOf('plain'), metered: await keyOf('metered') };
  const logFile = join(folder, 'gateway.log');
  const { url } = await startServer(scope, {
    argv: [launcher, 'serve', '--config', config],
    logFile,
  });
  return {
    url,
    folder,
    keys,
    async isClean() {
      const argv = [launcher, 'audit', '--json', '--config', config];
      const stdout = await run(process.execPath, argv);
      const { clean }: { readonly clean?: unknown } = JSON.parse(stdout);
      return clean === true;
    },
    errorLines: () =>
      readFileSync(logFile, 'utf8')
        .split('\n')
        .filter((line) => line.includes('"level":"error"')),
  };
}

function configOf(folder: string) {
  const dailyBudgetUsd = '1000000';
  const credits = { monthlyGrant: '1000000', usdPerCredit: '0.01' };
  return {
    company: 'check',
    listen: { host: '127.0.0.1', port: 0 },
    admin: { host: '127.0.0.1', port: 0 },
    store: `sqlite:${join(folder, 'gateway.db')}`,
    platforms: { sandbox: { kind: 'simulator' } },
    plans: { user: { ratePerSecond: 100_000, burst: 100_000, requestsPerDay: 100_000_000 } },
    apps: [
      { name: 'plain', dailyBudgetUsd },
      { name: 'metered', dailyBudgetUsd, credits },
    ],
  };
}
