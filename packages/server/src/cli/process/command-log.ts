import type { Log } from '../../lib/log.ts';
import type { CommandContext } from './context.ts';
import { readEnvironment } from './environment.ts';

/**
 * JSON lines on standard error if MODEL_GATEWAY_LOG is set; else undefined, as the output is for
 * the operator.
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
