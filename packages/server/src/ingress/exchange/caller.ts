import { CallError } from '../../calls/model/call-error.ts';
import type { RequestLog } from '../../calls/model/request-log.ts';
import type { Runs } from '../../calls/runs/runs.ts';
import type { ApiKey, App } from '../../domain/registered-app.ts';
import type { Run } from '../../domain/run.ts';
import type { Registry } from '../../registry/registry.ts';

/** The caller: a known key, and the app that it is of. */
export interface Caller {
  readonly key: ApiKey;
  /** The app that may ask; undefined where none may: see `noAppOf`. */
  readonly app: App | undefined;
  /** The app that the key's customer is, registered or not: refusals are counted by it. */
  readonly customer: App | undefined;
  /** Whether the key's name follows the convention, and names its customer's app. */
  readonly isConventional: boolean;
  /** The run that it asks in, with the run's own key or by `x-run-id`; undefined for none. */
  readonly run: Run | undefined;
}

/** Whose key this is; undefined for one that is not known. */
export function callerOf(keyText: string | undefined, registry: Registry): Caller | undefined {
  const key = keyText === undefined ? undefined : registry.key(keyText);
  return key && callerWith(key, registry.appOf(key));
}

/** The header in which a request with its app's key names a run. */
export const runIdHeader = 'x-run-id';

/** A caller, or why there is none: it is not known, or cannot be looked for now. */
export type FoundCaller = Caller | 'busy' | undefined;

/**
 * The caller with the key of a run: that of the key it was made with, narrowed to the run.
 * Undefined where the run or its parent is not known, or over.
 */
export async function callerOfRun(
  keyText: string,
  registry: Registry,
  runs: Pick<Runs, 'ofKey'>,
): Promise<FoundCaller> {
  const run = await runs.ofKey(keyText);
  if (run === undefined || run === 'busy') return run;
  const parent = parentOf(run, registry);
  return parent && narrowed(parent, run);
}

/** A caller in the run that it names; undefined where that is none of its app's, or over. */
export async function callerInRun(
  caller: Caller,
  runId: string,
  runs: Pick<Runs, 'ofApp'>,
): Promise<FoundCaller> {
  const { app } = caller;
  // It is refused for that.
  if (app === undefined) return caller;
  if (caller.run !== undefined) return caller.run.id === runId ? caller : undefined;
  const run = await runs.ofApp(app.name, runId);
  return run === undefined || run === 'busy' ? run : narrowed(caller, run);
}

/** Where its app may not ask any more, it is told as its key would be. */
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

/** Why no app of this caller may ask: UNAUTHORIZED, NO_SERVICE or DISABLED, in this order. */
export function noAppOf({ key, customer, isConventional }: Caller, log: RequestLog): CallError {
  if (!isConventional) {
    return new CallError(
      'UNAUTHORIZED',
      "The API key's name does not follow llm::<role>::<app>::<email> with the customerId <app>; ask the operator for a new key.",
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
