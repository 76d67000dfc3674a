import { baseUrlOf, type PlatformConfig } from '../domain/platform.ts';
import { factsOf } from '../domain/platform-kinds/platform-kinds.ts';
import type { SpanAttributes } from './span.ts';

/** By platform name. */
export type PlatformAddresses = ReadonlyMap<string, SpanAttributes>;

export function platformAddresses(configs: readonly PlatformConfig[]): PlatformAddresses {
  return new Map(configs.map((config) => [config.name, addressOf(config)]));
}

function addressOf(config: PlatformConfig): SpanAttributes {
  const provider = { 'gen_ai.provider.name': factsOf(config.kind).traceName ?? config.name };
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
