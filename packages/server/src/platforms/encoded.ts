/** A request's body, or what the wire has no words for. */
export type Encoded =
  | { readonly body: Readonly<Record<string, unknown>> }
  | { readonly problem: string };

/** A request's body, to be written as JSON or as its caller wrote it. */
export type Written = Exclude<Encoded, { problem: string }> | { readonly text: string };

/** The same body, made in a tier; one that its caller wrote names its tier already. */
export function inTier(written: Written, tier: string): Written {
  if ('text' in written) return written;
  return { body: { ...written.body, service_tier: tier } };
}
