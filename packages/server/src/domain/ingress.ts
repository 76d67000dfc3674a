export const unknownFieldsPolicies = ['refuse', 'ignore'] as const;

/** For tools that would run at the platform, where no reservation covers them. */
export const serverToolsPolicies = ['refuse', 'remove'] as const;

/**
 * For input whose tokens its bytes do not bound, such as a PDF or a URL: rejected, or reserved as
 * the model's whole context.
 */
export const unboundedInputPolicies = ['refuse', 'hold-context'] as const;

export interface IngressConfig {
  readonly openai: boolean;
  readonly anthropic: boolean;
  /** Used if the request, its model and its app state no output limit. */
  readonly defaultMaxTokens: number;
  readonly unknownFields: (typeof unknownFieldsPolicies)[number];
  readonly serverTools: (typeof serverToolsPolicies)[number];
  readonly unboundedInput: (typeof unboundedInputPolicies)[number];
}

export const defaultIngress: IngressConfig = {
  openai: false,
  anthropic: false,
  defaultMaxTokens: 4_096,
  unknownFields: 'refuse',
  serverTools: 'refuse',
  unboundedInput: 'refuse',
};

export function isBearerRead({ openai, anthropic }: IngressConfig): boolean {
  return openai || anthropic;
}

/** For metrics and the log, because an unknown path is the caller's text. */
export const noRouteName = 'other';
