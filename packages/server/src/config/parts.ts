import type { Config } from '../domain/config.ts';
import type { ConsoleConfig } from '../domain/console.ts';
import type { AdminListenAddress } from '../domain/listen.ts';
import type { WebhookFacts } from '../domain/notify.ts';
import type { PlatformFacts } from '../domain/platform.ts';
import { omitUndefined } from './omit-undefined.ts';

export interface StoreConfig
  extends Pick<Config, 'file' | 'company' | 'adminEmail' | 'store' | 'keyRing'> {
  /** Undefined while a variable is not set, because the hash covers the whole file. */
  readonly hash: string | undefined;
}

export interface Parts {
  readonly apps: Config['apps'];
  readonly budgets: Config['budgets'];
  readonly catalog: Pick<Config, 'models' | 'aliases' | 'defaultPlatform'> & {
    readonly platforms: readonly PlatformFacts[];
  };
  readonly login: Pick<ConsoleConfig, 'url'> & { readonly listen: AdminListenAddress };
  readonly hooks: readonly WebhookFacts[];
  readonly notify: Config['notify'];
  readonly platformNames: readonly string[];
  readonly platforms: Config['platforms'];
}

export type Part = keyof Parts;

export type PartConfig<P extends Part> = StoreConfig & Pick<Parts, P>;

export interface Needs<P extends Part> {
  readonly parts: readonly P[];
  readonly only?: string | undefined;
}

/** Keys from the top; `*` matches any. */
type KeyPath = readonly string[];

const storePaths: readonly KeyPath[] = [['company'], ['adminEmail'], ['store']];

const pathsOf: { readonly [P in Part]: (only: string) => readonly KeyPath[] } = {
  apps: () => [['apps'], ['plans'], ['platforms', '*', 'kind']],
  budgets: () => [['budgets']],
  catalog: () => [
    ...[['models'], ['defaultPlatform']],
    ...['kind', 'region', 'tier', 'priceFactor'].map((key) => ['platforms', '*', key]),
  ],
  login: () => [['admin'], ['console', 'url']],
  hooks: () => ['name', 'format', 'events', 'at', 'apps'].map((key) => ['notify', '*', key]),
  notify: (only) => [
    ['notify', '*', 'name'],
    ['notify', only],
  ],
  platformNames: () => [['platforms', '*', 'kind']],
  platforms: (only) => [['platforms', only]],
};

export type IsNeeded = (keys: readonly string[]) => boolean;

export const needsAll: IsNeeded = () => true;

export function neededBy({ parts, only = '*' }: Needs<Part>): IsNeeded {
  const paths = [...storePaths, ...parts.flatMap((part) => pathsOf[part](only))];
  return (keys) =>
    paths.some((path) =>
      path.every((key, at) => key === '*' || keys[at] === undefined || keys[at] === key),
    );
}

/** Some values may be unknown; then the hash is unknown, too. */
type KnownConfig = Omit<Config, 'hash'> & Pick<StoreConfig, 'hash'>;

const pick: { readonly [P in Part]: (config: KnownConfig, only: string | undefined) => Parts[P] } =
  {
    apps: ({ apps }) => apps,
    budgets: ({ budgets }) => budgets,
    catalog: ({ models, aliases, defaultPlatform, platforms }) => ({
      ...{ models, aliases, defaultPlatform },
      platforms: platforms.map(({ name, kind, region, tier, priceFactor }) => {
        return { name, kind, ...omitUndefined({ region, tier, priceFactor }) };
      }),
    }),
    login: ({ admin, console: { url } }) => ({ url, listen: admin }),
    hooks: ({ notify }) =>
      notify.map(({ url, secrets: _secrets, proxies: _proxies, ...facts }) => ({
        ...facts,
        url: url || undefined,
      })),
    notify: ({ notify }, only) => notify.filter(({ name }) => (only ?? name) === name),
    platformNames: ({ platforms }) => platforms.map(({ name }) => name),
    platforms: ({ platforms }, only) => platforms.filter(({ name }) => (only ?? name) === name),
  };

export function takeParts<P extends Part>(config: KnownConfig, needs: Needs<P>): PartConfig<P>;
export function takeParts(config: KnownConfig, { parts, only }: Needs<Part>): object {
  const { file, hash, company, adminEmail, store, keyRing } = config;
  return {
    ...{ file, hash, company, adminEmail, store, ...omitUndefined({ keyRing }) },
    ...Object.fromEntries(parts.map((part) => [part, pick[part](config, only)])),
  };
}
