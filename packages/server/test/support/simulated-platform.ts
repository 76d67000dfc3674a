import { type ModelCall, type ServedSimulator, serveSimulator } from '@model-gateway/simulator';
import { createIds } from '../../src/lib/id.ts';
import { createAdminContext } from '../../src/operations/context/context.ts';
import { bindProject } from '../../src/operations/projects/bindings.ts';
import { startServer, type TestServer } from './server.ts';

/** The service, and a platform of a real kind behind it that a simulator plays. */
export interface SimulatedPlatform {
  readonly server: TestServer;
  readonly simulator: ServedSimulator;
  /** Every call that reached the platform, including retries. */
  readonly seen: readonly ModelCall[];
  close(): Promise<void>;
}

/** Starts both; the named apps get their project on the platform `real`. */
export async function startSimulatedPlatform(options: {
  /** From the simulator's URL to the configuration. */
  readonly yaml: (url: string) => string;
  readonly bound: readonly string[];
}): Promise<SimulatedPlatform> {
  const seen: ModelCall[] = [];
  const simulator = await serveSimulator({
    port: 0,
    script(call) {
      seen.push(call);
      return undefined;
    },
  });
  const server = await startServer({ yaml: options.yaml(simulator.url) });
  const { store, clock } = server;
  const ids = createIds(clock);
  const admin = createAdminContext({
    store,
    clock,
    ids,
    company: 'acme',
    adminEmail: undefined,
    actor: 'test',
  });
  for (const app of options.bound) {
    const { id } = simulator.simulator.createProject(`prod-acme-core-${app}`);
    await bindProject(admin, { app, platform: 'real', projectId: id });
  }
  await server.service.registry.refresh();
  return {
    ...{ server, simulator, seen },
    async close() {
      await server.close();
      await simulator.close();
    },
  };
}
