import { CallError } from '../../calls/model/call-error.ts';
import type { RequestLog } from '../../calls/model/request-log.ts';
import type { Runs } from '../../calls/runs/runs.ts';
import type { ApiKey, App } from '../../domain/registered-app.ts';
import type { Run } from '../../domain/run.ts';
import type { Registry } from '../../registry/registry.ts';

export interface Caller {
  readonly key: ApiKey;
  /** Undefined if no app may call: see `noAppOf`. */
  readonly app: App | undefined;
  /** The app that the key's customer names, registered or not. Rejections count for it. */
  readonly customer: App | undefined;
  /** The key's name follows the convention, and names its customer's app. */
  readonly isConventional: boolean;
  readonly run: Run | undefined;
}

export function callerOf(keyText: string | undefined, registry: Registry): Caller | undefined {
  const key = keyText === undefined ? undefined : registry.key(keyText);
  return key && callerWith(key, registry.appOf(key));
}

/** Valid only with the app's own key. */
export const runIdHeader = 'x-run-id';

export type CallerLookup = Caller | 'busy' | undefined;

/** The parent key's caller, limited to the run. Undefined if run or parent is unknown or ended. */
export async function callerOfRun(
  keyText: string,
  registry: Registry,
  runs: Pick<Runs, 'ofKey'>,
): Promise<CallerLookup> {
  const run = await runs.ofKey(keyText);
  if (run === undefined || run === 'busy') return run;
  const parent = parentOf(run, registry);
  return parent && narrowed(parent, run);
}

/** Undefined if the run is unknown, ended, or of another app. */
export async function callerInRun(
  caller: Caller,
  runId: string,
  runs: Pick<Runs, 'ofApp'>,
): Promise<CallerLookup> {
  const { app } = caller;
  // `noAppOf` rejects such a caller.
  if (app === undefined) return caller;
  if (caller.run !== undefined) return caller.run.id === runId ? caller : undefined;
  const run = await runs.ofApp(app.name, runId);
  return run === undefined || run === 'busy' ? run : narrowed(caller, run);
}

/** If its app may not call, the caller gets the key's error. */
function parentOf({ app, parentKeyId }: Run, registry: Registry): Caller | undefined {
  const key = registry.keyOfId(parentKeyId);
  return key?.customerId === app ? callerWith(key, registry.appOf(key)) : undefined;
}

function narrowed(caller: Caller, run: Run): Caller {
  const { app } = caller;
  if (app === undefined || run.models === undefined) return { ...caller, run };
  const models = run.models.filter((model) => app.models?.has(model) ?? true);
  return { ...caller, run, app: { ...app, models: new Set(models) } };
}

function callerWith(key: ApiKey, customer: App | undefined): Caller {
  const isConventional = key.parsed?.app === key.customerId;
  const app = isConventional && customer?.isEnabled === true ? customer : undefined;
  return { key, app, customer, isConventional, run: undefined };
}

/** UNAUTHORIZED, NO_SERVICE or DISABLED, checked in this order. */
export function noAppOf({ key, customer, isConventional }: Caller, log: RequestLog): CallError {
  if (!isConventional) {
    return new CallError(
      'UNAUTHORIZED',
      "The API key's name must be llm::<role>::<app>::<email> with customerId equal to <app>; ask the operator for a new key.",
    );
  }
  if (customer === undefined) {
    return new CallError(
      'NO_SERVICE',
      `The app ${key.customerId} is not registered; ask the operator to create it.`,
    );
  }
  log.keyRejection = { reason: 'disabled' };
  const message = `The app ${customer.name} is disabled; ask the operator to enable it.`;
  return new CallError('DISABLED', message);
}
