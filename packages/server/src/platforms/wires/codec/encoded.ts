export type Encoded =
  | { readonly body: Readonly<Record<string, unknown>> }
  | { readonly problem: string };

export type Written = Exclude<Encoded, { problem: string }> | { readonly text: string };

/** Such as `service_tier: "default"`. Without them, the platform may charge another price. */
export type PricedTerms = Readonly<Record<string, string>>;
