import { parentPort, workerData } from 'node:worker_threads';
import { readConfig } from '../process/context.ts';
import { UsageError } from '../process/usage-error.ts';
import { sentConfig } from '../threads/sent-config.ts';
import type { ConfigReply, ConfigRequest } from './read-in-thread.ts';
import { readRegularFile } from './regular-file.ts';

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
