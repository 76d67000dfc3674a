import process from 'node:process';
import { createLog, type Log, lossLine } from '../lib/log.ts';
import { openStandardError } from '../lib/standard-error.ts';
import type { CommandContext } from './process/context.ts';
import { readEnvironment } from './process/environment.ts';
import { isForPeople, readableLine, readableLines } from './readable-log.ts';

export interface ServiceLog {
  readonly log: Log;
  readonly level: string;
  readonly writeLine: (line: string) => void;
  readonly linesLost: () => number;
}

/** JSON lines, or readable lines on a terminal. */
export function openServiceLog({
  clock,
  environment,
}: Pick<CommandContext, 'clock' | 'environment'>): ServiceLog {
  const { MODEL_GATEWAY_LOG: level = 'info', MODEL_GATEWAY_LOG_FORMAT: format } =
    readEnvironment(environment);
  const isReadable = isForPeople(format, process.stderr.isTTY);
  const { write, linesLost } = openStandardError({
    clock,
    lossLine(lost) {
      const line = lossLine(clock.now(), lost);
      return isReadable ? readableLine(line) : line;
    },
  });
  const destination = isReadable ? readableLines(write) : { write };
  const log = createLog({ level, destination });
  return { log, level, writeLine: (line) => void destination.write(line), linesLost };
}
