import { startClaude } from './claude.ts';
import { startDeepSeek } from './deepseek.ts';
import { startGemini } from './gemini.ts';
import { prices, type Vendor } from './vendor.ts';

/** Platforms that require their own content back, and their configuration. */
export interface Vendors {
  readonly platforms: Readonly<Record<string, object>>;
  readonly models: readonly object[];
  /** The projects of an app that calls them. */
  readonly projects: Readonly<Record<string, string>>;
  billedPicoUsd(): bigint;
  close(): void;
}

/** The models by the names that clients use. */
export const thinkers = {
  deepseek: 'thinks-deepseek',
  gemini: 'thinks-gemini',
  claude: 'thinks-claude',
};

export async function startVendors(): Promise<Vendors> {
  const deepseek = await startDeepSeek();
  const gemini = await startGemini();
  const claude = await startClaude();
  const all: readonly Vendor[] = [deepseek, gemini, claude];
  const apiKey = 'sk-of-the-vendor-1234';
  return {
    platforms: {
      deepseek: { kind: 'openai-compatible', baseUrl: `${deepseek.url}/v1`, apiKey },
      gemini: { kind: 'openai-compatible', baseUrl: `${gemini.url}/v1beta/openai`, apiKey },
      claude: { kind: 'anthropic', baseUrl: claude.url, apiKey },
    },
    models: Object.entries(thinkers).map(([platform, id]) => ({
      ...{ id, platform, ...prices, contextTokens: 200_000, maxOutputTokens: 8_192 },
    })),
    projects: { claude: 'wrkspc_of_the_team' },
    billedPicoUsd: () => all.reduce((sum, vendor) => sum + vendor.billedPicoUsd(), 0n),
    close() {
      for (const vendor of all) vendor.close();
    },
  };
}
