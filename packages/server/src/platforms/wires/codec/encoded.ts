export type Encoded =
  | { readonly body: Readonly<Record<string, unknown>> }
  | { readonly problem: string };

export type Written = Exclude<Encoded, { problem: string }> | { readonly text: string };

/** Such as `service_tier: "default"`: without them a request may be served at another price. */
export type PricedTerms = Readonly<Record<string, string>>;
