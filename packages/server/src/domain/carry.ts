import type { Wire } from './wire.ts';

/** Names of chat completions for what is neither text nor a tool call. */
export const chatCarryNames = [
  'reasoning_content',
  'reasoning',
  'reasoning_details',
  'thinking',
  'thinking_blocks',
  'extra_content',
] as const;

/** Every name. The last two are ours: of items of responses, and of parts of the AI SDK. */
export const carryNames = [...chatCarryNames, 'reasoning_items', 'reasoning_parts'] as const;

/** One of {@link carryNames}. */
export type CarryName = (typeof carryNames)[number];

/** Fields of a message or of a tool call, by their names. */
export type CarriedFields = Readonly<Partial<Record<CarryName, unknown>>>;

/** Output of a model other than text and tool calls, by the names of its wire. */
export interface Carried {
  /** Undefined where a caller does not state it. */
  readonly wire?: Wire | 'ai-sdk' | undefined;
  readonly message: CarriedFields;
  /** Of each tool call, in their order; `null` for one that has none. */
  readonly calls: readonly (CarriedFields | null)[];
}

/** The known names among the fields of a message or of a tool call; undefined for none. */
export function carriedFieldsOf<Value>(
  fields: { readonly [Name in CarryName]?: Value },
  names: readonly CarryName[] = carryNames,
): { readonly [Name in CarryName]?: Value } | undefined {
  let found: { [Name in CarryName]?: Value } | undefined;
  for (const name of names) {
    const value = fields[name];
    if (value === undefined || value === null) continue;
    found ??= {};
    found[name] = value;
  }
  return found;
}
