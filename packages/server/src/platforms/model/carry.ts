import type { JsonObject } from '@model-gateway/contract';
import type { CatalogModel } from '../../catalog/catalog.ts';
import {
  type CarriedFields,
  type CarriedOutput,
  type CarryName,
  carriedFieldsOf,
  chatCarryNames,
} from '../../domain/carry.ts';
import { fieldOf, isRecord } from '../../lib/json-value.ts';
import type { ModelMessage } from './model-request.ts';
import type { ModelPort } from './port.ts';

export interface CarryTarget {
  readonly row: Pick<CatalogModel, 'upstreamModel' | 'carryFields'>;
  readonly port: Pick<ModelPort, 'wire' | 'carryNames'>;
}

/**
 * The model name's first word, after vendor and region. Only the same family understands a model's
 * reasoning and signatures.
 */
export function modelFamilyOf(upstreamModel: string): string {
  const name = upstreamModel.slice(upstreamModel.lastIndexOf('/') + 1).toLowerCase();
  return /^(?:[a-z-]+\.)*([a-z]+)/.exec(name)?.[1] ?? name;
}

/** Each message keeps only the content that the model accepts. */
export function carriedTo(
  messages: readonly ModelMessage[],
  target: CarryTarget,
): readonly ModelMessage[] {
  return messages.map((message) =>
    hasCarry(message)
      ? { ...message, carried: selectCarry(message.carry, target).carried }
      : message,
  );
}

export function droppedFields(messages: readonly ModelMessage[], target: CarryTarget): string[] {
  return messages.flatMap((message, index) =>
    hasCarry(message)
      ? selectCarry(message.carry, target).dropped.map((name) => `messages[${index}].${name}`)
      : [],
  );
}

function hasCarry(
  message: ModelMessage,
): message is Extract<ModelMessage, { role: 'assistant' }> & { readonly carry: JsonObject } {
  return message.role === 'assistant' && message.carry !== undefined;
}

function selectCarry(
  carry: JsonObject,
  { row, port }: CarryTarget,
): { readonly carried: CarriedOutput; readonly dropped: readonly string[] } {
  const { wire, family, message, calls } = carry;
  const isForeign =
    (wire !== undefined && wire !== (port.wire ?? 'ai-sdk')) ||
    (family !== undefined && family !== modelFamilyOf(row.upstreamModel));
  const { carryFields = port.carryNames } = row;
  // A row may add names to its vendor's, within the names of its wire format.
  const ofWire = port.wire === 'openai-chat' ? chatCarryNames : port.carryNames;
  const names = isForeign ? [] : ofWire.filter((name) => carryFields.includes(name));
  const dropped: string[] = [];
  const select = (fields: unknown, path = ''): CarriedFields => {
    const sent = carriedFieldsOf(isRecord(fields) ? fields : {}, names) ?? {};
    const hasWhole = Object.keys(sent).some((name) => name !== 'extra_content');
    for (const name of Object.keys(isRecord(fields) ? fields : {})) {
      const isIncluded = Object.hasOwn(sent, name) || (hasWhole && readable.has(name));
      if (!isIncluded) dropped.push(path + name);
    }
    return sent;
  };
  const ofMessage = select(message);
  const list: readonly unknown[] = Array.isArray(calls) ? calls : [];
  const ofCalls = list.map((fields, index) => select(fields, `tool_calls[${index}].`));
  if (dropped.length === 0 && [ofMessage, ...ofCalls].every(isEmpty)) dropped.push('carry');
  return { carried: { message: ofMessage, calls: ofCalls }, dropped };
}

function isEmpty(fields: CarriedFields): boolean {
  return Object.keys(fields).length === 0;
}

/** Another field of the message contains these texts in full. */
const readable: ReadonlySet<string> = new Set(['reasoning_content', 'reasoning']);

export function carriedOf(
  wire: CarriedOutput['wire'],
  message: CarriedFields | undefined,
  calls: readonly (CarriedFields | undefined)[] = [],
): CarriedOutput | undefined {
  const hasCalls = calls.some((fields) => fields !== undefined);
  if (message === undefined && !hasCalls) return undefined;
  return {
    wire,
    message: message ?? {},
    calls: hasCalls ? calls.map((fields) => fields ?? null) : [],
  };
}

export function carriedList(
  carried: CarriedOutput | undefined,
  name: CarryName,
): readonly Readonly<Record<string, unknown>>[] {
  const value = fieldOf(carried?.message, name);
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/**
 * Records the position after a text or call, because vendors reject moved reasoning. `reasoned`:
 * items before it.
 */
export function withPosition<Item extends object>(
  item: Item,
  position: number,
  reasoned: number,
): Item & { readonly index?: number } {
  return position === reasoned ? item : { ...item, index: position };
}

/** Puts reasoning at its positions; at the front without one. */
export function interleave<Reasoning, Part>(
  reasoning: readonly { readonly part: Reasoning; readonly index?: unknown }[],
  others: readonly Part[],
): readonly (Reasoning | Part)[] {
  const all: (Reasoning | Part)[] = [];
  let at = 0;
  for (const { part, index } of reasoning) {
    while (typeof index === 'number' && all.length < index && at < others.length) {
      const other = others[at++];
      if (other !== undefined) all.push(other);
    }
    all.push(part);
  }
  return [...all, ...others.slice(at)];
}
