import process from 'node:process';
import type { DestinationStream } from 'pino';
import { copiedLine } from '../lib/copied-line.ts';
import { createLog, type Log, lossLine } from '../lib/log.ts';
import { openStandardError } from '../lib/standard-error.ts';
import { printable } from '../operations/description/text-lines.ts';
import type { CommandContext } from './process/context.ts';
import { readEnvironment } from './process/environment.ts';

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

interface Line {
  readonly level: string;
  readonly time: string;
  readonly msg: string;
  readonly [field: string]: unknown;
}

/**
 * Control characters become �. Omits copies of the audit log, because a terminal does not retain
 * them.
 */
export function readableLines(write: (text: string) => void): DestinationStream {
  return {
    write(line) {
      const read: Line = JSON.parse(line);
      if (read.msg !== copiedLine) write(readable(read));
    },
  };
}

function readableLine(line: string): string {
  return readable(JSON.parse(line));
}

function readable({ level, time, msg, ...fields }: Line): string {
  const named = Object.entries(fields).flatMap(([name, value]) =>
    value === null || value === undefined ? [] : `${name}=${shown(value)}`,
  );
  const words = [time.slice(11, 23), level.toUpperCase().padEnd(5), msg, ...named];
  return `${printable(words.join(' '))}\n`;
}

function shown(value: unknown): string {
  return typeof value === 'string' && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value);
}

/**
 * True for `text`, or if standard error is a terminal, unless `MODEL_GATEWAY_LOG_FORMAT` is `json`.
 */
export function isForPeople(format: string | undefined, isTerminal: boolean): boolean {
  return format === 'text' || (isTerminal && format !== 'json');
}
