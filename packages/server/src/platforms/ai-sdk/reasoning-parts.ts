import type { JSONObject, JSONValue, LanguageModelV4ReasoningPart } from '@ai-sdk/provider';
import type { Carried, CarriedFields } from '../../domain/carry.ts';
import { isRecord } from '../../lib/json-value.ts';
import { carriedList, carriedOf } from '../model/carry.ts';
import type { ModelMessage } from '../model/model-request.ts';

/** Options by the names of providers, as a library gives them and takes them back. */
type Options = Record<string, JSONObject>;

/**
 * What of a library's metadata belongs to reasoning, and costs nothing but its bytes: others
 * name items that are stored at the platform, or how long input is cached.
 */
const optionNames = [
  'signature',
  'redactedData',
  'thoughtSignature',
  'reasoningEncryptedContent',
  'reasoning_content',
  'reasoning_details',
] as const;

/** The named options of each provider; undefined for none. */
export function carriedOptions(metadata: unknown): Options | undefined {
  const found: Options = {};
  for (const [provider, options] of Object.entries(isRecord(metadata) ? metadata : {})) {
    const named = namedIn(options);
    if (named !== undefined) found[provider] = named;
  }
  return Object.keys(found).length === 0 ? undefined : found;
}

function namedIn(options: unknown): JSONObject | undefined {
  if (!isRecord(options)) return undefined;
  const named: Record<string, JSONValue> = {};
  for (const name of optionNames) {
    const value = options[name];
    if (isJson(value)) named[name] = value;
  }
  return Object.keys(named).length === 0 ? undefined : named;
}

/** All of it came as JSON. */
function isJson(value: unknown): value is JSONValue {
  return value !== undefined && value !== null;
}

/** The reasoning of a message as its wire takes it back, with places as they were carried. */
export type ReasoningOf = (message: Extract<ModelMessage, { role: 'assistant' }>) => readonly {
  readonly part: LanguageModelV4ReasoningPart;
  readonly index?: unknown;
}[];

/** A part of reasoning, and its options. */
export interface ReasoningPart {
  readonly text: string;
  readonly options?: Options | undefined;
  readonly index?: number;
}

/** What is carried of a library's answer: its reasoning, and the options of each tool call. */
export function carriedParts(
  parts: readonly ReasoningPart[],
  calls: readonly (Options | undefined)[],
): Carried | undefined {
  const fields: CarriedFields | undefined =
    parts.length === 0 ? undefined : { reasoning_parts: parts };
  const ofCalls = calls.map((options) => options && { extra_content: options });
  return carriedOf('ai-sdk', fields, ofCalls);
}

/** The reasoning of a message, as the library takes it back. */
export const reasoningPartsOf: ReasoningOf = ({ carried }) =>
  carriedList(carried, 'reasoning_parts').flatMap(({ text, options, index }) => {
    if (typeof text !== 'string') return [];
    const providerOptions = carriedOptions(options);
    const part = { type: 'reasoning', text, ...(providerOptions && { providerOptions }) } as const;
    return { part, index };
  });

/** The options of a message's tool call. */
export function callOptionsIn(
  carried: Carried | undefined,
  index: number,
): { readonly providerOptions?: Options } {
  const providerOptions = carriedOptions(carried?.calls[index]?.extra_content);
  return providerOptions === undefined ? {} : { providerOptions };
}
