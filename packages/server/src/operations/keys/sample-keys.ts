import type { Catalog } from '../../catalog/catalog.ts';
import type { Config } from '../../domain/config.ts';
import { keyNameFor } from '../../domain/key-name.ts';
import { isLoopback } from '../../domain/loopback.ts';
import type { PlatformConfig } from '../../domain/platform.ts';
import { factsOf } from '../../domain/platform-kinds/platform-kinds.ts';
import type { Log } from '../../lib/log.ts';
import {
  type ApiKeyRow,
  type AppRow,
  selectApps,
  selectKeys,
} from '../../store/queries/registry.ts';
import type { AdminContext } from '../context/context.ts';
import { disableKey, issueKey } from './keys.ts';

function sampleEmail(app: string): string {
  return `team@${app}.example`;
}

/**
 * Disables the first startup's keys once a platform bills: terminals and logs show them, and any
 * reader could spend money. A key that an operator enabled again stays. Older stores have no marks,
 * so similar keys only cause a warning.
 */
export async function endSampleKeys(
  admin: AdminContext,
  config: Pick<Config, 'platforms'>,
  log: Log,
): Promise<void> {
  const [platform] = config.platforms.filter(bills).map(({ name }) => name);
  if (platform === undefined) return;
  const enabled = (await admin.store.readForOperator(selectKeys)).filter(
    ({ isEnabled }) => isEnabled,
  );
  for (const key of enabled) {
    const { id, customerId: app } = key;
    if (key.isSample) {
      const reason = `the first start printed this key, and ${platform} bills`;
      await disableKey({ ...admin, reason }, id);
      log.warn(
        { key: id, app, platform },
        `sample key disabled, because the first startup printed the key and a platform that bills is now configured. Issue a new key with "model-gateway keys issue --app ${app}", or keep this key with "keys enable ${id}"`,
      );
    } else if (looksLikeSample(key)) {
      log.warn(
        { key: id, app, platform },
        `this key looks like a sample key that a first startup printed, and a platform that bills is configured; to disable the key: "model-gateway keys disable ${id}"`,
      );
    }
  }
}

function bills({ kind, baseUrl }: PlatformConfig): boolean {
  const { bills: where } = factsOf(kind);
  if (where !== 'elsewhere' || baseUrl === undefined) return where !== 'never';
  return !isLoopback(new URL(baseUrl).hostname);
}

function looksLikeSample({ name, customerId: app }: ApiKeyRow): boolean {
  return name === keyNameFor({ app, email: sampleEmail(app), adminEmail: undefined });
}

export interface SampleKey {
  readonly app: string;
  readonly key: string;
  /** A call of the app needs nothing but a key. */
  readonly isPlain: boolean;
}

/** The curl line's model: it echoes its input. */
export const sampleModel = 'sim-echo';

/** Issues keys only if the store has none and all platforms are simulators: calls cost nothing. */
export async function issueSampleKeys(
  admin: AdminContext,
  config: Pick<Config, 'platforms'>,
): Promise<readonly SampleKey[]> {
  if (config.platforms.some(({ kind }) => factsOf(kind).bills !== 'never')) return [];
  if ((await admin.store.readForOperator(selectKeys)).length > 0) return [];
  const keys: SampleKey[] = [];
  for (const app of await admin.store.read(selectApps(admin.company))) {
    const email = sampleEmail(app.name);
    const { key } = await issueKey(admin, { app: app.name, email, isSample: true });
    const isAllowed = app.models?.has(sampleModel) ?? true;
    keys.push({ app: app.name, key, isPlain: app.credits === undefined && isAllowed });
  }
  return keys;
}

/** Undefined where an app can already call. */
export async function firstCaller({
  store,
  company,
}: AdminContext): Promise<{ readonly app: string | undefined } | undefined> {
  if ((await store.readForOperator(selectKeys)).some(({ isEnabled }) => isEnabled))
    return undefined;
  const apps = await store.read(selectApps(company));
  return { app: apps.find(({ isEnabled }) => isEnabled)?.name };
}

/** A first call needs a model that this service has and an enabled app may use. */
export function firstModel(
  apps: readonly Pick<AppRow, 'isEnabled' | 'models'>[],
  catalog: Pick<Catalog, 'list' | 'isRetired' | 'model'>,
  platforms: readonly Pick<PlatformConfig, 'name' | 'kind'>[],
): FirstModel {
  const models = catalog
    .list()
    .filter((model) => model.kind !== 'embeddings' && !catalog.isRetired(model))
    .map(({ id }) => id);
  // A simulator supports this model without a row of the catalog.
  const { platform } = catalog.model(sampleModel);
  const isSimulated = platforms.some(({ name, kind }) => name === platform && isFree(kind));
  const known = isSimulated ? [sampleModel, ...models] : models;
  const callers = apps.filter(({ isEnabled }) => isEnabled);
  const mayUse = (id: string) => callers.some((app) => app.models?.has(id) ?? true);
  const model = known.find(mayUse) ?? known[0] ?? 'YOUR-MODEL';
  return model === sampleModel ? { model } : { model, maxTokens: ownMaxTokens };
}

function isFree(kind: PlatformConfig['kind']): boolean {
  return factsOf(kind).bills === 'never';
}

export interface FirstModel {
  readonly model: string;
  readonly maxTokens?: number;
}

/** Enough for a model that reasons before its response. */
const ownMaxTokens = 2_000;

/** Returns a shell line; the call is free if a simulator responds. */
export function firstCallLine(
  url: string,
  key: string,
  { model = sampleModel, maxTokens = 100 } = {},
): string {
  const body = JSON.stringify({
    model,
    maxTokens,
    messages: [{ role: 'user', content: 'Hello, gateway!' }],
  });
  return `curl -s ${url}/v1/chat -H 'x-api-key: ${key}' -H 'content-type: application/json' -d '${body}'`;
}

/** Replaces an address that listens everywhere with a reachable one. */
export function reachableUrl(url: string): string {
  return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
}
