import type { JSONObject, JSONValue, LanguageModelV4ReasoningPart } from '@ai-sdk/provider';
import type { CarriedFields, CarriedOutput } from '../../domain/carry.ts';
import { isRecord } from '../../lib/json-value.ts';
import { carriedList, carriedOf } from '../model/carry.ts';
import type { ModelMessage } from '../model/model-request.ts';

type Options = Record<string, JSONObject>;

/**
 * Only reasoning, which costs no more than its bytes. Other metadata names items stored at the
 * platform, or cache lifetimes.
 */
const optionNames = [
  'signature',
  'redactedData',
  'thoughtSignature',
  'reasoningEncryptedContent',
  'reasoning_content',
  'reasoning_details',
] as const;

export function carriedOptions(metadata: unknown): Options | undefined {
  const result: Options = {};
  for (const [provider, options] of Object.entries(isRecord(metadata) ? metadata : {})) {
    const named = namedIn(options);
    if (named !== undefined) result[provider] = named;
  }
  return Object.keys(result).length === 0 ? undefined : result;
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

function isJson(value: unknown): value is JSONValue {
  return value !== undefined && value !== null;
}

export type ReasoningOf = (message: Extract<ModelMessage, { role: 'assistant' }>) => readonly {
  readonly part: LanguageModelV4ReasoningPart;
  readonly index?: unknown;
}[];

export interface ReasoningPart {
  readonly text: string;
  readonly options?: Options | undefined;
  readonly index?: number;
}

export function carriedParts(
  parts: readonly ReasoningPart[],
  calls: readonly (Options | undefined)[],
): CarriedOutput | undefined {
  const fields: CarriedFields | undefined =
    parts.length === 0 ? undefined : { reasoning_parts: parts };
  const ofCalls = calls.map((options) => options && { extra_content: options });
  return carriedOf('ai-sdk', fields, ofCalls);
}

export const reasoningPartsOf: ReasoningOf = ({ carried }) =>
  carriedList(carried, 'reasoning_parts').flatMap(({ text, options, index }) => {
    if (typeof text !== 'string') return [];
    const providerOptions = carriedOptions(options);
    const part = { type: 'reasoning', text, ...(providerOptions && { providerOptions }) } as const;
    return { part, index };
  });

export function callOptionsIn(
  carried: CarriedOutput | undefined,
  index: number,
): { readonly providerOptions?: Options } {
  const providerOptions = carriedOptions(carried?.calls[index]?.extra_content);
  return providerOptions === undefined ? {} : { providerOptions };
}
