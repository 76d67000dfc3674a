import {
  type ModelCall,
  type Outcome,
  projectIdOf,
  type ServedSimulator,
  serveSimulator,
  simulatorModels,
} from '@model-gateway/simulator';
import { createIds } from '../../src/lib/id.ts';
import { formatUsd } from '../../src/lib/money.ts';
import { createAdminContext } from '../../src/operations/context/context.ts';
import { bindProject } from '../../src/operations/projects/bindings.ts';
import { startServer, type TestServer } from './server.ts';

/** The service on a socket, with a platform of the kind `anthropic` on another one. */
export interface AnthropicStack {
  readonly server: TestServer;
  readonly platform: ServedSimulator;
  /** Every model call that reached the platform since the last `next`. */
  readonly calls: readonly ModelCall[];
  /** Clears the calls, and sets the next outcomes in order. */
  next(...outcomes: readonly Outcome[]): void;
  close(): Promise<void>;
}

/** The workspace of an app; it is the simulator's project under another name. */
export function workspaceOf(app: string): string {
  return projectIdOf(`prod-acme-core-${app}`).replace('proj_', 'wrkspc_');
}

/**
 * Starts both. Every model of the simulator is in the catalog by its id; the app `unbound` has no
 * workspace, the apps `search` and `tutor` have theirs.
 */
export async function openAnthropicStack(
  options: { readonly more?: string; readonly models?: readonly string[] } = {},
): Promise<AnthropicStack> {
  const calls: ModelCall[] = [];
  let outcomes: readonly Outcome[] = [];
  const platform = await serveSimulator({
    port: 0,
    script(call) {
      calls.push(call);
      const [outcome, ...rest] = outcomes;
      outcomes = rest;
      return outcome;
    },
  });
  const server = await startServer({ yaml: yamlOf(platform.url, options) });
  for (const app of ['search', 'tutor']) {
    platform.simulator.createProject(`prod-acme-core-${app}`);
    const { store, clock } = server;
    const ids = createIds(clock);
    const admin = createAdminContext({
      ...{ store, clock, ids, company: 'acme', adminEmail: 'a@b.example', actor: 'test' },
    });
    await bindProject(admin, { app, platform: 'claude', projectId: workspaceOf(app) });
  }
  await server.service.registry.refresh();
  return {
    server,
    platform,
    calls,
    next(...coming) {
      calls.length = 0;
      outcomes = coming;
    },
    async close() {
      await server.close();
      await platform.close();
    },
  };
}

function yamlOf(
  url: string,
  { more = '', models = [] }: { readonly more?: string; readonly models?: readonly string[] },
): string {
  return `
company: acme
store: sqlite:./gateway.db
platforms:
  claude: { kind: anthropic, baseUrl: "${url}/v1", apiKey: sk-ant-test-of-the-gateway }
defaultPlatform: claude
retry: { attempts: 3, baseMs: 1, capMs: 2 }
plans: { user: { ratePerSecond: 1000, burst: 1000 } }
apps:
  - { name: search, dailyBudgetUsd: "50" }
  - { name: tutor, dailyBudgetUsd: "50" }
  - { name: unbound, dailyBudgetUsd: "50" }
models:
${[...simulatorModels.map(rowOf), ...models].map((row) => `  - ${row}\n`).join('')}${more}`;
}

function rowOf({ id, pricesPicoUsd, maxOutputTokens, images }: (typeof simulatorModels)[number]) {
  const { input, cachedInput, cacheWrite, output } = pricesPicoUsd ?? none;
  const prices = `inputUsdPerMillion: "${perMillion(input)}", cachedInputUsdPerMillion: "${perMillion(cachedInput)}", cacheWriteInputUsdPerMillion: "${perMillion(cacheWrite)}", outputUsdPerMillion: "${perMillion(output)}"`;
  return `{ id: ${id}, platform: claude, ${prices}, maxOutputTokens: ${maxOutputTokens}, images: ${images} }`;
}

const none = { input: 0n, cachedInput: 0n, cacheWrite: 0n, output: 0n };

function perMillion(picoUsd: bigint): string {
  return formatUsd(picoUsd * 1_000_000n);
}
