import type { PlatformConfig, PlatformKind } from '../domain/platform.ts';
import { baseUrlOf } from '../platforms/http/base-url.ts';
import type { SpanAttributes } from './span.ts';

/** What is said of each platform, by its name. */
export type PlatformAddresses = ReadonlyMap<string, SpanAttributes>;

/** The conventions' names of vendors; others go by their names in the configuration. */
const providers: Partial<Record<PlatformKind, string>> = {
  openai: 'openai',
  anthropic: 'anthropic',
  'bedrock-mantle': 'aws.bedrock',
};

/** Which provider each platform is, and where it is asked. */
export function platformAddresses(configs: readonly PlatformConfig[]): PlatformAddresses {
  return new Map(configs.map((config) => [config.name, addressOf(config)]));
}

function addressOf(config: PlatformConfig): SpanAttributes {
  const provider = { 'gen_ai.provider.name': providers[config.kind] ?? config.name };
  const url = baseUrlOf(config);
  if (url === undefined) return provider;
  const { hostname, port, protocol } = new URL(url);
  const usual = protocol === 'https:' ? 443 : 80;
  return {
    ...provider,
    'server.address': hostname,
    'server.port': port === '' ? usual : Number(port),
  };
}
