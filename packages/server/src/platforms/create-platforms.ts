import type { PlatformConfig } from '../domain/platform.ts';
import type { OpenShares } from '../domain/shares.ts';
import type { Clock } from '../lib/clock.ts';
import { createAiSdk, textsIn } from './ai-sdk/ai-sdk.ts';
import { createWay } from './http/way.ts';
import { createAnthropic } from './kinds/anthropic.ts';
import { createOpenAi } from './kinds/openai.ts';
import { createOpenAiCompatible } from './kinds/openai-compatible.ts';
import { createSimulatorPlatform, type EmbeddedSimulator } from './kinds/simulator.ts';
import { createMantle } from './mantle/mantle.ts';
import type { Platform, PlatformContext } from './model/port.ts';

export interface PlatformSources {
  readonly configs: readonly PlatformConfig[];
  /** For simulator platforms without a `baseUrl`. */
  readonly simulator?: Pick<EmbeddedSimulator, 'fetch'> | undefined;
  readonly clock: Clock;
  /** Searched for AI SDK packages before the server's own. */
  readonly folders?: readonly string[];
  /** Default: first come, first served. */
  readonly openShares?: OpenShares;
  readonly onUnsolicited?: (platform: string) => void;
  /** Allows platforms' error texts in the log; default false. */
  readonly logPlatformErrors?: boolean;
}

/** One line per platform that cannot be made. */
export type CreatedPlatforms =
  | { readonly platforms: ReadonlyMap<string, Platform> }
  | { readonly problems: readonly string[] };

/** All or none. Opens no connection before the first call. */
export function createPlatforms(sources: PlatformSources): CreatedPlatforms {
  const platforms = new Map<string, Platform>();
  const problems: string[] = [];
  for (const config of sources.configs) {
    const made = createPlatform(config, sources);
    if (typeof made === 'string') problems.push(`platforms.${config.name}: ${made}`);
    else platforms.set(config.name, made);
  }
  return problems.length > 0 ? { problems } : { platforms };
}

/** Or the reason why not. */
function createPlatform(config: PlatformConfig, sources: PlatformSources): Platform | string {
  const { simulator, clock, folders = [], logPlatformErrors = false } = sources;
  const way = createWay(config);
  if (typeof way === 'string') return way;
  const context: PlatformContext = {
    clock,
    way,
    openShares: sources.openShares,
    onUnsolicited: () => sources.onUnsolicited?.(config.name),
    secrets: sources.configs.flatMap(secretsOf),
    logPlatformErrors,
    propagateTrace: config.propagateTrace === true,
  };
  const { kind, baseUrl, region } = config;
  for (const key of ['apiKey', 'adminApiKey'] as const) {
    if (/^[\x21-\x7e]*$/.test(config[key] ?? '')) continue;
    return `${key} must be printable ASCII without spaces; look for a line break at its end`;
  }
  switch (kind) {
    case 'simulator':
      if (baseUrl === undefined && simulator === undefined) {
        return 'needs a baseUrl, since no simulator runs in this process';
      }
      return createSimulatorPlatform(config, { fetch: simulator?.fetch, context });
    case 'openai-compatible':
      if (baseUrl === undefined) return 'needs a baseUrl, such as http://127.0.0.1:11434/v1';
      return createOpenAiCompatible({ ...config, baseUrl }, context);
    case 'openai':
      return createOpenAi(config, context);
    case 'anthropic':
      return createAnthropic(config, context);
    case 'bedrock-mantle':
      if (region === undefined) return 'needs a region, such as us-east-1';
      return createMantle({ config: { ...config, region }, context });
    case 'ai-sdk':
      return createAiSdk(config, folders, context);
  }
}

/** Collects all platforms' secrets: one may quote another's. */
function secretsOf({ apiKey, adminApiKey, options }: PlatformConfig): readonly string[] {
  return [apiKey, adminApiKey, ...textsIn(options)].filter((secret) => secret !== undefined);
}
