import {
  type CommandContext,
  type CommonOptions,
  UsageError,
} from '@model-gateway/server/cli/process/context';
import { withoutDocument } from '@model-gateway/server/cli/process/shared-options';
import { readPort } from '@model-gateway/server/cli/serve-port';
import { stopSignal } from '@model-gateway/server/cli/stop-signal';
import { type ServedSimulator, serveSimulator } from '@model-gateway/simulator';
import type { Command } from 'commander';

interface SimulatorOptions extends CommonOptions {
  readonly port?: string;
}

const defaultPort = 8790;

export function registerSimulator(program: Command, context: CommandContext): void {
  withoutDocument(program.command('simulator').description('serve the simulator until SIGTERM'))
    .option('--port <port>', `port on 127.0.0.1; 0 picks a free one (default: ${defaultPort})`)
    .action((_options: unknown, command: Command) =>
      simulate(context, command.optsWithGlobals<SimulatorOptions>()),
    );
}

async function simulate(context: CommandContext, options: SimulatorOptions) {
  context.becomeService?.();
  const port = options.port === undefined ? defaultPort : readPort('--port', options.port);
  const served = await serveOn(context, port);
  const stopped = stopSignal(context.clock);
  context.print(`The simulator is ready at ${served.url}`);
  await stopped;
  await served.close();
}

async function serveOn({ clock, ids }: CommandContext, port: number): Promise<ServedSimulator> {
  try {
    return await serveSimulator({ port, clock, random: ids.random });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new UsageError(`cannot listen on port ${port}: ${why}; choose another with --port`);
  }
}
