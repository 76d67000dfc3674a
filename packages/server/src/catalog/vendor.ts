import type { ModelConfig } from '../domain/model.ts';
import type { PlatformKind } from '../domain/platform.ts';

/**
 * Who makes a model: by its row, the kind of its platform, or the first word of its id on mantle.
 * Undefined where none of them tells: then it may be any vendor.
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
