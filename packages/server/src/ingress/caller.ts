import { ApiError } from '../calls/call-error.ts';
import type { ApiKey, App } from '../registry/app.ts';
import type { Registry } from '../registry/registry.ts';

/** The app that a key belongs to. Throws UNAUTHORIZED, NO_SERVICE or DISABLED, in this order. */
export function appOf(key: ApiKey, registry: Registry): App {
  const name = key.parsed;
  if (name === undefined || key.customerId !== name.app) {
    throw new ApiError(
      'UNAUTHORIZED',
      "The API key's name does not follow llm::<role>::<app>::<email> with the customerId <app>; ask the operator for a new key.",
    );
  }
  const app = registry.app(name.app);
  if (app === undefined) {
    throw new ApiError(
      'NO_SERVICE',
      `The app ${name.app} is not registered; ask the operator to create it.`,
    );
  }
  if (!app.isEnabled) {
    throw new ApiError(
      'DISABLED',
      `The app ${app.name} is disabled; ask the operator to enable it.`,
    );
  }
  return app;
}
