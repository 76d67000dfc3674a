import type { SimulatorOptions } from '@model-gateway/simulator';
import { createSimulator, projectIdOf, type Simulator } from '@model-gateway/simulator';
import { pathFamilies } from '../../src/domain/platform-kinds/kind-facts.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { createIds } from '../../src/lib/id.ts';
import { createAdminContext } from '../../src/operations/context/context.ts';
import { bindProject } from '../../src/operations/projects/bindings.ts';
import { type MantleFront, startMantleFront } from './mantle-front.ts';
import { startServer, type TestServer } from './server.ts';

/** The bearer that the simulated mantle accepts. */
export const mantleKey = 'bedrock-api-key-of-the-tests';

/** The apps of {@link startOnMantle}. */
export const mantleApps = ['search', 'tutor'] as const;

/** A service whose models are on a simulated mantle, at the other end of a socket. */
export interface OnMantle {
  readonly server: TestServer;
  readonly simulator: Simulator;
  readonly front: MantleFront;
  close(): Promise<void>;
}

/** The name of a model of mantle on the surface of a path family: `echo-on-v1-chat`. */
export function modelOn(family: string, model = 'echo'): string {
  return `${model}-on-${family}`;
}

/** Starts both, with two apps that have projects, and rows for every path family. */
export async function startOnMantle(
  options: {
    readonly script?: SimulatorOptions['script'];
    /** The simulated models that have a row on each surface, without their `sim-`. */
    readonly models?: readonly string[];
    /** Replaces the simulator's responses, for a mantle that misbehaves. */
    readonly fetch?: Simulator['fetch'];
    readonly isAway?: boolean;
    readonly lines?: string;
  } = {},
): Promise<OnMantle> {
  const { script, models = ['echo'], isAway = false, lines = '' } = options;
  const simulator = createSimulator({
    clock: systemClock,
    takesBearer: (bearer) => bearer === mantleKey,
    ...(script === undefined ? {} : { script }),
  });
  const front = await startMantleFront({ fetch: options.fetch ?? simulator.fetch });
  front.isAway = isAway;
  const server = await startServer({ yaml: yamlOf(front.url, models) + lines });
  const ids = createIds(systemClock);
  const { store, clock } = server;
  const admin = createAdminContext({
    store,
    clock,
    ids,
    company: 'acme',
    adminEmail: undefined,
    actor: 'test',
  });
  for (const app of mantleApps) {
    const projectId = projectIdOf(simulator.createProject(`prod-acme-core-${app}`).name);
    await bindProject(admin, { app, platform: 'bedrock', projectId });
  }
  await server.service.registry.refresh();
  return {
    ...{ server, simulator, front },
    async close() {
      await server.close();
      await front.close();
    },
  };
}

function yamlOf(url: string, models: readonly string[]): string {
  const rows = models.flatMap((model) =>
    pathFamilies.map(
      (family) =>
        `  - { id: ${modelOn(family, model)}, platform: bedrock, upstreamModel: sim-${model}, pathFamily: ${family}, inputUsdPerMillion: "0.15", outputUsdPerMillion: "0.60" }`,
    ),
  );
  return `
company: acme
store: sqlite:./gateway.db
platforms:
  bedrock: { kind: bedrock-mantle, region: us-east-1, baseUrl: "${url}", apiKey: ${mantleKey} }
  sandbox: { kind: simulator }
defaultPlatform: sandbox
retry: { attempts: 3, baseMs: 1, capMs: 2 }
plans: { user: { ratePerSecond: 1000, burst: 1000 } }
models:
${rows.join('\n')}
apps:
  - { name: search, dailyBudgetUsd: "50" }
  - { name: tutor, dailyBudgetUsd: "50" }
  - { name: homeless, dailyBudgetUsd: "50" }
`;
}
