import process from 'node:process';
import { createLog, type Log, standardError } from '../lib/log.ts';
import type { CommandContext } from './context.ts';
import { isForPeople, readableLines } from './readable-log.ts';

/** The log of a service, and what its threads write into it. */
export interface ServiceLog {
  readonly log: Log;
  readonly level: string;
  /** Writes a line of JSON that another thread has made. */
  readonly writeLine: (line: string) => void;
}

/** JSON lines, or lines to read where a person sits before them. */
export function openServiceLog({ environment }: Pick<CommandContext, 'environment'>): ServiceLog {
  const { MODEL_GATEWAY_LOG: level = 'info', MODEL_GATEWAY_LOG_FORMAT: format } = environment;
  const destination = isForPeople(format, process.stderr.isTTY)
    ? readableLines((text) => void process.stderr.write(text))
    : standardError();
  const log = createLog({ level, destination });
  return { log, level, writeLine: (line) => void destination.write(line) };
}
