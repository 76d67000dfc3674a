export const pathFamilies = [
  'v1-chat',
  'v1-responses',
  'openai-v1-chat',
  'openai-v1-responses',
  'anthropic-v1-messages',
] as const;

type PathFamily = (typeof pathFamilies)[number];

export const speaksWords = ['chat', 'responses', 'messages', ...pathFamilies] as const;

/** Each kind of platform has its own words for them. */
export const requestTiers = ['standard', 'flex', 'priority'] as const;

type RequestTier = (typeof requestTiers)[number];

type OwnKey = 'apiKey' | 'adminApiKey' | 'region' | 'tier' | 'package' | 'options';

interface PlatformLocation {
  readonly region?: string | undefined;
  readonly baseUrl?: string | undefined;
}

/** Facts of a kind of platform; the configuration reads them and loads no code. */
export interface KindFacts {
  readonly name: string;
  /** Who sends the bill; absent: known by the name of the platform alone. */
  readonly vendor?: { readonly name: string; readonly service: string };
  readonly traceName?: string;
  /** Undefined: every vendor's models may be there. */
  readonly modelVendorOf?: (upstreamModel: string) => string | undefined;
  readonly defaultUrl?: (region: string) => string;

  /** Keys besides `kind`, `baseUrl` and those that every kind takes. */
  readonly takes: readonly OwnKey[];
  readonly needs: readonly (OwnKey | 'baseUrl')[];
  /** Absent: all. */
  readonly tiers?: readonly RequestTier[];
  readonly keyVariable?: string;
  readonly isPackage: boolean;

  /** `own`: it makes them itself, so none is bound by hand. */
  readonly projects: 'none' | 'own' | 'bound';
  /** Of the ids of its projects; the problem is a sentence after the id. */
  readonly projectForm?: { readonly pattern: RegExp; readonly problem: string };
  /** `elsewhere`: a server on this machine sends no bill. */
  readonly bills: 'never' | 'elsewhere' | 'always';
  readonly terms: {
    /** A response may have another tier than was requested. */
    readonly isTierOpen: boolean;
    /** Uses no tool of its own unless a request has it. */
    readonly usesToolsOnRequest: boolean;
    readonly region?: {
      readonly by: 'request' | 'host';
      of(location: PlatformLocation): string | undefined;
    };
  };
  /** In the package of prices; absent: several providers, or none. */
  readonly priceList?: {
    readonly provider: string;
    readonly isId?: (name: string) => boolean;
    readonly speaksOf?: (id: string) => PathFamily | undefined;
  };

  readonly speaks: readonly (typeof speaksWords)[number][];
  readonly defaultSpeaks?: readonly [PathFamily, ...PathFamily[]];
  readonly needsSpeaks: boolean;
  readonly hasEmbeddings: boolean;
}
