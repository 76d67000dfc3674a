import { readFileSync, statSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { readConfig } from '../process/context.ts';
import { sentConfig } from '../process/sent-config.ts';
import { UsageError } from '../process/usage-error.ts';
import type { ConfigReply, ConfigRequest } from './read-in-thread.ts';

/** Larger than any usable configuration. */
const bytesMax = 16 * 1024 * 1024;

const { environment, options }: ConfigRequest = workerData;
parentPort?.postMessage(reply());

function reply(): ConfigReply {
  try {
    const config = readConfig({ environment, readFile: readRegularFile }, options);
    return { sent: sentConfig(config) };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return { problems: error.message };
  }
}

/**
 * Throws an error with a `code` above 16 MiB, and for a pipe or device, whose read might never end.
 */
function readRegularFile(path: string): string {
  const stats = statSync(path);
  if (!stats.isFile()) throw refused('not a regular file');
  if (stats.size > bytesMax) throw refused('larger than 16 MiB');
  return readFileSync(path, 'utf8');
}

function refused(code: string): Error {
  return Object.assign(new Error(code), { code });
}
