/** A request's body, or what the wire has no words for. */
export type Encoded =
  | { readonly body: Readonly<Record<string, unknown>> }
  | { readonly problem: string };

/** A request's body, to be written as JSON or as its caller wrote it. */
export type Written = Exclude<Encoded, { problem: string }> | { readonly text: string };

/**
 * Fields that request the terms of prices, with their words, for example
 * `service_tier: "default"`: a request without them may be served at another price.
 */
export type PricedTerms = Readonly<Record<string, string>>;
