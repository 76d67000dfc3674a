import type { Log } from '../lib/log.ts';
import type { CommandContext } from './context.ts';
import { readEnvironment } from './environment.ts';

/**
 * Where a command logs what it changes: on standard error, as JSON lines, where MODEL_GATEWAY_LOG
 * asks for it; undefined elsewhere, since what a command prints is for who has typed it.
 */
export function commandLog({
  clock,
  environment,
  warn,
}: CommandContext): Pick<Log, 'info'> | undefined {
  const { MODEL_GATEWAY_LOG: level } = readEnvironment(environment);
  if (level !== 'info' && level !== 'debug') return undefined;
  return {
    info(fields, sentence) {
      const time = new Date(clock.now()).toISOString();
      warn(JSON.stringify({ level: 'info', time, ...fields, msg: sentence }));
    },
  };
}
