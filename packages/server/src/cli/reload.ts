import process from 'node:process';
import { CompositionError } from '../compose/composition-error.ts';
import type { OpenService } from '../compose/open-service.ts';
import type { Config } from '../domain/config.ts';
import { within } from '../lib/deadline.ts';
import type { Log } from '../lib/log.ts';
import type { MissingAppsPolicy } from '../operations/apps/file-plan.ts';
import { AdminError } from '../operations/context/admin-error.ts';
import type { CallersServer } from './callers-server.ts';
import { type CommandContext, UsageError } from './process/context.ts';

export interface Reloads {
  /** Ignores signals, and waits briefly for a running reload. */
  stop(): Promise<void>;
}

/** An unavailable store must not delay the shutdown. */
const endMs = 1_000;

/**
 * Runs at each SIGHUP, one reload after another. Signals during a reload cause one more. A failure
 * is logged, and the current configuration stays in effect.
 */
export function reloadOnHangup(
  { clock }: Pick<CommandContext, 'clock'>,
  parts: {
    readonly read: () => Promise<Config>;
    readonly service: Pick<OpenService, 'reload'>;
    readonly callersServer: Pick<CallersServer, 'follow'>;
    readonly missing: MissingAppsPolicy;
    readonly log: Log;
  },
): Reloads {
  let isStopped = false;
  let running = Promise.resolve();
  let isNextRequested = false;
  process.on('SIGHUP', requestReload);
  return {
    async stop() {
      isStopped = true;
      await within(clock, endMs, running);
    },
  };

  function requestReload() {
    if (isStopped || isNextRequested) return;
    isNextRequested = true;
    running = running.then(() => {
      isNextRequested = false;
      return isStopped ? undefined : reload(parts);
    });
  }
}

const refusals = [UsageError, AdminError, CompositionError];

async function reload(parts: Parameters<typeof reloadOnHangup>[1]) {
  const { read, service, callersServer, missing, log } = parts;
  try {
    const next = await read();
    // The decision to disable missing apps was for the file of the startup, not for this one.
    await service.reload(next, missing === 'disable' ? 'refuse' : missing);
    await callersServer.follow(next);
  } catch (error) {
    const isRefusal = refusals.some((kind) => error instanceof kind);
    const problems = (error instanceof Error ? error.message : String(error)).split('\n');
    if (isRefusal) {
      log.error(
        { problems },
        'configuration reload rejected; the current configuration stays in effect',
      );
    } else {
      log.error({ problems }, 'configuration reload was only partly applied; send SIGHUP again');
    }
  }
}
