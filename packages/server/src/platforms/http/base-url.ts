import type { PlatformConfig } from '../../domain/platform.ts';

export const vendorUrls = {
  openai: 'https://api.openai.com/v1',
  openaiIn: (region: string) => `https://${region}.api.openai.com/v1`,
  anthropic: 'https://api.anthropic.com',
  mantle: (region: string) => `https://bedrock-mantle.${region}.api.aws`,
} as const;

/** Undefined for a package's or an in-process platform. */
export function baseUrlOf({ kind, baseUrl, region = '' }: PlatformConfig): string | undefined {
  if (baseUrl !== undefined) return baseUrl;
  if (kind === 'openai') return region === '' ? vendorUrls.openai : vendorUrls.openaiIn(region);
  if (kind === 'anthropic') return vendorUrls.anthropic;
  return kind === 'bedrock-mantle' ? vendorUrls.mantle(region) : undefined;
}
