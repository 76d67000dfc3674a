import type { DestinationStream } from 'pino';
import { copiedLine } from '../lib/copied-line.ts';
import { printable } from '../operations/text-lines.ts';

/** What stands in front of a line; the rest of its fields stand behind its sentence. */
interface Line {
  readonly level: string;
  readonly time: string;
  readonly msg: string;
  readonly [field: string]: unknown;
}

/**
 * Turns the log's JSON lines into lines for a person: time of day, level, sentence, then the fields
 * that say something. What steers a terminal in them is shown as �. Copies of the audit log are
 * left out: a terminal keeps none.
 */
export function readableLines(write: (text: string) => void): DestinationStream {
  return {
    write(line) {
      const read: Line = JSON.parse(line);
      if (read.msg !== copiedLine) write(readable(read));
    },
  };
}

/** One such line. */
export function readableLine(line: string): string {
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
 * Whether the log is for a person: where standard error is a terminal, unless
 * `MODEL_GATEWAY_LOG_FORMAT` says `json`; `text` asks for it anywhere.
 */
export function isForPeople(format: string | undefined, isTerminal: boolean): boolean {
  return format === 'text' || (isTerminal && format !== 'json');
}
