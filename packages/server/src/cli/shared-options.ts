import type { Command } from 'commander';

/** Gives a command `--config` and `--json`, which stand before or after the subcommand. */
export function withSharedOptions(command: Command): Command {
  return command
    .option('--config <file>', 'the configuration (else MODEL_GATEWAY_CONFIG, else ./gateway.yaml)')
    .option('--json', 'print one JSON document on standard output');
}
