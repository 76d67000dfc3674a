import type { Wire } from './wire.ts';

/** For output that is neither text nor a tool call. */
export const chatCarryNames = [
  'reasoning_content',
  'reasoning',
  'reasoning_details',
  'thinking',
  'thinking_blocks',
  'extra_content',
] as const;

/** The last two are the gateway's own: items of responses, and parts of the AI SDK. */
export const carryNames = [...chatCarryNames, 'reasoning_items', 'reasoning_parts'] as const;

export type CarryName = (typeof carryNames)[number];

export type CarriedFields = Readonly<Partial<Record<CarryName, unknown>>>;

/** Output other than text and tool calls, by field names of its wire format. */
export interface CarriedOutput {
  readonly wire?: Wire | 'ai-sdk' | undefined;
  readonly message: CarriedFields;
  /** In the order of tool calls; `null` for a call without fields. */
  readonly calls: readonly (CarriedFields | null)[];
}

export function carriedFieldsOf<Value>(
  fields: { readonly [Name in CarryName]?: Value },
  names: readonly CarryName[] = carryNames,
): { readonly [Name in CarryName]?: Value } | undefined {
  let present: { [Name in CarryName]?: Value } | undefined;
  for (const name of names) {
    const value = fields[name];
    if (value === undefined || value === null) continue;
    present ??= {};
    present[name] = value;
  }
  return present;
}
