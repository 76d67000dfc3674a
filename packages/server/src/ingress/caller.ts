import { CallError } from '../calls/call-error.ts';
import type { ApiKey, App } from '../domain/registered-app.ts';
import type { Registry } from '../registry/registry.ts';

/** The caller: a known key, and the app that it is of. */
export interface Caller {
  readonly key: ApiKey;
  /** The app that may ask; undefined where none may: see `noAppOf`. */
  readonly app: App | undefined;
  /** The app that the key's customer is, registered or not: refusals are counted by it. */
  readonly customer: App | undefined;
  /** Whether the key's name follows the convention, and names its customer's app. */
  readonly isConventional: boolean;
}

/** Whose key this is; undefined for one that is not known. */
export function callerOf(keyText: string | undefined, registry: Registry): Caller | undefined {
  const key = keyText === undefined ? undefined : registry.key(keyText);
  if (key === undefined) return undefined;
  const isConventional = key.parsed?.app === key.customerId;
  const customer = registry.appOf(key);
  const app = isConventional && customer?.isEnabled === true ? customer : undefined;
  return { key, app, customer, isConventional };
}

/** Why no app of this caller may ask: UNAUTHORIZED, NO_SERVICE or DISABLED, in this order. */
export function noAppOf({ key, customer, isConventional }: Caller): CallError {
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
  const message = `The app ${customer.name} is disabled; ask the operator to enable it.`;
  return new CallError('DISABLED', message);
}
