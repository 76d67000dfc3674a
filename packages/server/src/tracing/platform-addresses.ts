import type { PlatformConfig, PlatformKind } from '../domain/platform.ts';
import { baseUrlOf } from '../platforms/http/base-url.ts';
import type { SpanAttributes } from './span.ts';

/** By platform name. */
export type PlatformAddresses = ReadonlyMap<string, SpanAttributes>;

/** The conventions' names; others use their configured names. */
const providers: Partial<Record<PlatformKind, string>> = {
  openai: 'openai',
  anthropic: 'anthropic',
  'bedrock-mantle': 'aws.bedrock',
};

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
