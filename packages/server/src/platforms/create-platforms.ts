import type { PlatformConfig } from '../domain/platform.ts';
import type { PlatformKind } from '../domain/platform-kinds/platform-kinds.ts';
import type { OpenShares } from '../domain/shares.ts';
import type { Clock } from '../lib/clock.ts';
import { createWay } from './http/way.ts';
import { createAiSdk, textsIn } from './kinds/ai-sdk.ts';
import { createAnthropic } from './kinds/anthropic.ts';
import { createMantle } from './kinds/bedrock-mantle.ts';
import { createOpenAi } from './kinds/openai.ts';
import { createOpenAiCompatible } from './kinds/openai-compatible.ts';
import { createSimulatorPlatform, type EmbeddedSimulator } from './kinds/simulator.ts';
import type { FindAwsCredentials } from './mantle/aws-credentials.ts';
import type { Platform, PlatformContext } from './model/port.ts';

export interface PlatformSources {
  readonly configs: readonly PlatformConfig[];
  readonly simulator?: Pick<EmbeddedSimulator, 'fetch'> | undefined;
  readonly clock: Clock;
  /** Searched for AI SDK packages before the server's own. */
  readonly folders?: readonly string[];
  readonly findCredentials?: FindAwsCredentials;
  /** Default: first come, first served. */
  readonly openShares?: OpenShares;
  readonly onUnsolicited?: (platform: string) => void;
  /** Allows platforms' error texts in the log; default false. */
  readonly logPlatformErrors?: boolean;
}

export type CreatedPlatforms =
  | { readonly platforms: ReadonlyMap<string, Platform> }
  | { readonly problems: readonly string[] };

/** Or the reason for the failure. Opens no connection. */
type CreateKind = (
  config: PlatformConfig,
  context: PlatformContext,
  sources: PlatformSources,
) => Platform | string;

export const creators: Readonly<Record<PlatformKind, CreateKind>> = {
  simulator: createSimulatorPlatform,
  'openai-compatible': createOpenAiCompatible,
  openai: createOpenAi,
  anthropic: createAnthropic,
  'bedrock-mantle': createMantle,
  'ai-sdk': createAiSdk,
};

/** All platforms or none. Opens no connection before the first call. */
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

function createPlatform(config: PlatformConfig, sources: PlatformSources): Platform | string {
  const way = createWay(config);
  if (typeof way === 'string') return way;
  const context: PlatformContext = {
    clock: sources.clock,
    way,
    openShares: sources.openShares,
    onUnsolicited: () => sources.onUnsolicited?.(config.name),
    secrets: sources.configs.flatMap(secretsOf),
    logPlatformErrors: sources.logPlatformErrors === true,
    propagateTrace: config.propagateTrace === true,
  };
  for (const key of ['apiKey', 'adminApiKey'] as const) {
    if (/^[\x21-\x7e]*$/.test(config[key] ?? '')) continue;
    return `${key} must be printable ASCII without spaces; check for a line break at its end`;
  }
  return creators[config.kind](config, context, sources);
}

/** Collects all platforms' secrets: one may quote another's. */
function secretsOf({ apiKey, adminApiKey, options }: PlatformConfig): readonly string[] {
  return [apiKey, adminApiKey, ...textsIn(options)].filter((secret) => secret !== undefined);
}
