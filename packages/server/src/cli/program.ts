import { Command, CommanderError } from 'commander';
import { OfficeError } from '../admin/office.ts';
import { StoreError } from '../store/port.ts';
import { readVersion } from '../version.ts';
import { registerApps } from './apps.ts';
import { registerAttack } from './attack/attack.ts';
import { registerAudit } from './audit.ts';
import { registerCalls } from './calls.ts';
import { type CommonOptions, type Shell, UsageError } from './context.ts';
import { registerDays } from './days.ts';
import { registerDemo } from './demo/demo.ts';
import { registerHolds } from './holds.ts';
import { registerKeys } from './keys.ts';
import { registerMigrate } from './migrate.ts';
import { registerModels } from './models.ts';
import { registerProjects } from './projects.ts';
import { serve } from './serve.ts';
import { withSharedOptions } from './shared-options.ts';
import { registerSimulator } from './simulator.ts';
import { registerUsage } from './usage.ts';
import { registerWallets } from './wallets.ts';

/** Every command but `serve`, in the order of the help text. */
const registrations = [
  registerDemo,
  registerApps,
  registerKeys,
  registerWallets,
  registerUsage,
  registerCalls,
  registerHolds,
  registerDays,
  registerModels,
  registerProjects,
  registerAudit,
  registerAttack,
  registerSimulator,
  registerMigrate,
] as const;

/** Exit codes: done, refused, wrong usage or configuration. */
const exitCodes = { done: 0, refused: 1, usage: 2 } as const;

/** Runs one command; answers the exit code. */
export async function runCommand(commandLine: readonly string[], shell: Shell): Promise<number> {
  const program = createProgram(shell);
  try {
    await program.parseAsync([...commandLine], { from: 'user' });
    return exitCodes.done;
  } catch (error) {
    return report(error, shell);
  }
}

function createProgram(shell: Shell): Command {
  const program = new Command('model-gateway')
    .description('Forwards model calls, with caps that are exact')
    .version(readVersion())
    .exitOverride()
    .configureOutput({
      writeOut: (text) => shell.print(text.trimEnd()),
      writeErr: (text) => shell.warn(text.trimEnd()),
    });
  withSharedOptions(program.command('serve').description('serve until SIGTERM')).action(
    (_options: unknown, command: Command) => serve(shell, command.optsWithGlobals<CommonOptions>()),
  );
  for (const register of registrations) register(program, shell);
  return withSharedOptions(program);
}

function report(error: unknown, shell: Shell): number {
  if (error instanceof CommanderError)
    return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
  if (error instanceof UsageError) return refuse(error, exitCodes.usage);
  if (error instanceof OfficeError) {
    return refuse(error, error.isBadValue ? exitCodes.usage : exitCodes.refused);
  }
  if (error instanceof StoreError || isSystemError(error)) return refuse(error, exitCodes.refused);
  throw error;

  function refuse({ message }: Error, exitCode: number): number {
    shell.warn(message);
    return exitCode;
  }
}

/** What the operating system refused, such as a folder that may not be written: no bug of ours. */
function isSystemError(error: unknown): error is Error {
  return error instanceof Error && 'syscall' in error && 'code' in error;
}
