export const pathFamilies = [
  'v1-chat',
  'v1-responses',
  'openai-v1-chat',
  'openai-v1-responses',
  'anthropic-v1-messages',
] as const;

type PathFamily = (typeof pathFamilies)[number];

export const speaksWords = ['chat', 'responses', 'messages', ...pathFamilies] as const;

/** Each kind of platform has its own words for these tiers. */
export const requestTiers = ['standard', 'flex', 'priority'] as const;

type RequestTier = (typeof requestTiers)[number];

type OwnKey = 'apiKey' | 'adminApiKey' | 'region' | 'tier' | 'package' | 'options';

interface PlatformLocation {
  readonly region?: string | undefined;
  readonly baseUrl?: string | undefined;
}

/** The configuration reads these facts without loading a platform's code. */
export interface KindFacts {
  readonly name: string;
  /** The sender of the bill; if absent, only the platform's name identifies it. */
  readonly vendor?: { readonly name: string; readonly service: string };
  readonly traceName?: string;
  /** Undefined: the platform may serve models of every vendor. */
  readonly modelVendorOf?: (upstreamModel: string) => string | undefined;
  readonly defaultUrl?: (region: string) => string;

  /** In addition to `kind`, `baseUrl` and the keys of every kind. */
  readonly takes: readonly OwnKey[];
  readonly needs: readonly (OwnKey | 'baseUrl')[];
  /** Absent: all. */
  readonly tiers?: readonly RequestTier[];
  readonly keyVariable?: string;
  readonly isPackage: boolean;

  /** `own`: the platform creates them itself, so none is bound by hand. */
  readonly projects: 'none' | 'own' | 'bound';
  /** Format of its project ids; the problem is a sentence after the id. */
  readonly projectForm?: { readonly pattern: RegExp; readonly problem: string };
  /** `elsewhere`: except a server on this machine, which sends no bill. */
  readonly bills: 'never' | 'elsewhere' | 'always';
  readonly terms: {
    /** The tier of a response may differ from the requested tier. */
    readonly isTierOpen: boolean;
    /** Uses its built-in tools only if a request has them. */
    readonly usesToolsOnRequest: boolean;
    readonly region?: {
      readonly by: 'request' | 'host';
      of(location: PlatformLocation): string | undefined;
    };
  };
  /** In the package of prices; absent for several providers, or none. */
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
