import { parentPort, workerData } from 'node:worker_threads';
import { readConfig } from '../context.ts';
import { sentConfig } from '../sent-config.ts';
import { UsageError } from '../usage-error.ts';
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
