import { type Command, Option } from 'commander';

const json = new Option('--json', 'print one JSON document on standard output');

export function withSharedOptions(command: Command): Command {
  return withConfig(command).addOption(json);
}

/** The command has no document, so `--json` is accepted without effect. */
export function withoutDocument(command: Command): Command {
  return withConfig(command).addOption(new Option('--json').hideHelp());
}

function withConfig(command: Command): Command {
  return command.option(
    '--config <file>',
    'configuration file (default: MODEL_GATEWAY_CONFIG or MODEL_GATEWAY_CONFIG_TEXT, then ./gateway.yaml)',
  );
}
