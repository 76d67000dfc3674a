import process from 'node:process';
import { createLog, type Log, lossLine } from '../lib/log.ts';
import { openStandardError } from '../lib/standard-error.ts';
import type { CommandContext } from './context.ts';
import { readEnvironment } from './environment.ts';
import { isForPeople, readableLine, readableLines } from './readable-log.ts';

/** The log of a service, and what its threads write into it. */
export interface ServiceLog {
  readonly log: Log;
  readonly level: string;
  /** Writes a line of JSON that another thread has made. */
  readonly writeLine: (line: string) => void;
  /** How many lines could not be written. */
  readonly linesLost: () => number;
}

/** JSON lines, or lines to read where a person sits before them. */
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
