import type { Command } from 'commander';
import { type Noun, nouns } from '../operations/nouns.ts';
import type { CommandContext } from './process/context.ts';

export type Register = (program: Command, context: CommandContext) => void;

export interface CommandEntry {
  readonly name: string;
  readonly description: string;
  /** Before this, nothing else of the service is loaded. */
  readonly load: () => Promise<Register>;
}

function nounEntry(noun: Noun): CommandEntry {
  const { name, about: description } = noun;
  return {
    ...{ name, description },
    load: async () => (await import('./as-command.ts')).nounCommands(noun),
  };
}

export const commands: readonly CommandEntry[] = [
  {
    name: 'init',
    description: 'write a starter configuration (default platform: the simulator)',
    load: async () => (await import('./init/init.ts')).registerInit,
  },
  {
    name: 'serve',
    description: 'start the gateway (Ctrl-C to stop)',
    load: async () => (await import('./serve.ts')).registerServe,
  },
  {
    name: 'demo',
    description: 'run a guided demo on a temporary store and configuration',
    load: async () => (await import('@model-gateway/lab/demo')).registerDemo,
  },
  ...nouns.map(nounEntry),
  {
    name: 'attack',
    description: 'try to overspend budgets while services are killed',
    load: async () => (await import('@model-gateway/lab/attack')).registerAttack,
  },
  {
    name: 'simulator',
    description: 'serve the simulator until SIGTERM',
    load: async () => (await import('@model-gateway/lab/simulator')).registerSimulator,
  },
  {
    name: 'completion',
    description: 'print a completion script: bash, zsh, fish',
    load: async () => (await import('./completion.ts')).registerCompletion,
  },
];
