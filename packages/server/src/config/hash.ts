import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Config } from '../domain/config.ts';
import { defaultIngress, type IngressConfig } from '../domain/ingress.ts';
import { defaultStreamLimits, type Limits } from '../domain/limits.ts';
import type { WebhookConfig } from '../domain/notify.ts';
import type { PlatformConfig } from '../domain/platform.ts';
import type { TracingConfig } from '../domain/tracing.ts';
import { writtenValue } from './plain-value.ts';
import type { Tree } from './tree.ts';

export function hashConfig(config: Omit<Config, 'hash'>, platforms: Tree | undefined): string {
  const meaning = {
    company: config.company,
    adminEmail: config.adminEmail,
    publicUrl: config.publicUrl,
    limits: limitsMeaning(config.limits),
    // Absent by default: the hash stays the same as in earlier versions.
    streaming: config.streaming || undefined,
    ingress: ingressMeaning(config.ingress),
    retry: config.retry,
    audit: config.audit,
    tracing: config.tracing && tracingMeaning(config.tracing),
    usage: config.usage?.retentionDays === undefined ? undefined : config.usage,
    // The order matters: a built-in row uses the first platform of its kind.
    platforms: config.platforms.map((platform) => platformMeaning(platform, platforms)),
    defaultPlatform: config.defaultPlatform,
    plans: config.plans,
    unpriced: config.unpriced,
    logPlatformErrors: config.logPlatformErrors,
    models: byKey(config.models, (model) => model.id),
    // Absent by default: the hash stays the same as in earlier versions.
    aliases: config.aliases.length === 0 ? undefined : byKey(config.aliases, ({ id }) => id),
    apps: byKey(config.apps, (app) => app.name),
    budgets: config.budgets.length === 0 ? undefined : byKey(config.budgets, ({ name }) => name),
    notify:
      config.notify.length === 0 ? undefined : byKey(config.notify, nameOf).map(webhookMeaning),
  };
  return createHash('sha256').update(canonical(meaning)).digest('hex');
}

/** Sorts keys, writes amounts as text and drops undefined. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => {
    if (typeof part === 'bigint') return part.toString();
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
    return Object.fromEntries(byKey(Object.entries(part), ([key]) => key));
  });
}

/** Default limits must hash as in earlier versions. */
function limitsMeaning({ streams, ...limits }: Limits) {
  return isDeepStrictEqual(streams, defaultStreamLimits) ? limits : { ...limits, streams };
}

function ingressMeaning(ingress: IngressConfig) {
  return isDeepStrictEqual(ingress, defaultIngress) ? undefined : ingress;
}

function nameOf({ name }: WebhookConfig) {
  return name;
}

/** Omits the collector, which can differ per process, and headers, which are secrets. */
function tracingMeaning({ sampling, keepFailures }: TracingConfig) {
  return { sampling, keepFailures };
}

/** Except for its host, a URL can be a secret. */
function webhookMeaning({ url, secrets: _secrets, proxies: _proxies, ...meaning }: WebhookConfig) {
  return { ...meaning, origin: new URL(url).origin };
}

function platformMeaning(platform: PlatformConfig, platforms: Tree | undefined) {
  const { apiKey: _apiKey, adminApiKey: _adminApiKey, options: _options, ...open } = platform;
  // Each process can have its own network, and a proxy's login is a secret.
  const { proxy: _proxy, proxies: _proxies, caFile: _caFile, ...meaning } = open;
  const section = childOf(platforms, platform.name);
  return { ...meaning, options: withoutSecrets(writtenValue(childOf(section, 'options'))) };
}

function childOf(tree: Tree | undefined, key: string): Tree | undefined {
  return tree?.kind === 'table' ? tree.entries.get(key) : undefined;
}

/** A package accepts any options, so options named like secrets count as secrets. */
function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (typeof value !== 'object' || value === null) return value;
  const open = Object.entries(value).filter(([key]) => !/key|secret|token|password/i.test(key));
  return Object.fromEntries(open.map(([key, part]) => [key, withoutSecrets(part)]));
}

function byKey<T>(items: readonly T[], key: (item: T) => string): readonly T[] {
  return items.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
}
