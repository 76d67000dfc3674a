import type { ModelConfig } from '../domain/model.ts';
import type { PlatformKind } from '../domain/platform.ts';

/**
 * Reads the row, the platform's kind, or the first word of a mantle id. Undefined means that any
 * vendor is possible.
 */
export function vendorOf(
  { maker, upstreamModel }: Pick<ModelConfig, 'maker' | 'upstreamModel'>,
  kind: PlatformKind | undefined,
): string | undefined {
  if (maker !== undefined) return maker;
  if (kind === 'openai' || kind === 'anthropic') return kind;
  if (kind !== 'bedrock-mantle') return undefined;
  const [vendor = '', ...rest] = upstreamModel.split('.');
  return rest.length === 0 ? undefined : vendor;
}
