/** What becomes of a field that a compatible route does not know. */
export const unknownFieldsPolicies = ['refuse', 'ignore'] as const;

/** What becomes of a tool that would run at the platform, where no hold covers it. */
export const serverToolsPolicies = ['refuse', 'remove'] as const;

/**
 * The handling of input whose tokens its bytes do not bound, such as a PDF or a URL: rejected, or
 * reserved as the whole context of the model.
 */
export const unboundedInputPolicies = ['refuse', 'hold-context'] as const;

/** The APIs of other makers that are spoken beside the gateway's own. */
export interface IngressConfig {
  /** Whether there is anything below `/openai`, and below `/anthropic`. */
  readonly openai: boolean;
  readonly anthropic: boolean;
  /** For a request that states no limit of output, where neither its model nor its app has one. */
  readonly defaultMaxTokens: number;
  readonly unknownFields: (typeof unknownFieldsPolicies)[number];
  readonly serverTools: (typeof serverToolsPolicies)[number];
  readonly unboundedInput: (typeof unboundedInputPolicies)[number];
}

/** What holds where the configuration does not say. */
export const defaultIngress: IngressConfig = {
  openai: false,
  anthropic: false,
  defaultMaxTokens: 4_096,
  unknownFields: 'refuse',
  serverTools: 'refuse',
  unboundedInput: 'refuse',
};

/** Whether `authorization: Bearer` is a key on the gateway's own routes too. */
export function isBearerRead({ openai, anthropic }: IngressConfig): boolean {
  return openai || anthropic;
}

/** The label of requests that no route takes, in metrics and in the log: a path is the caller's. */
export const noRouteName = 'other';
