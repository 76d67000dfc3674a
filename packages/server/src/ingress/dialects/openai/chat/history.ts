import { carriedFieldsOf, carryNames } from '../../../../domain/carry.ts';
import type { JsonEdit } from '../../../../lib/json-text.ts';
import { isRecord, writeJson } from '../../../../lib/json-value.ts';
import { inspect } from '../../relay/inspect.ts';
import { isBeforeUser, pastTurns } from '../../relay/past-turns.ts';
import type { Shape, ShapeRules } from '../../relay/shape.ts';
import { createCompletionBody } from './body.ts';
import { unsentFields } from './known-fields.ts';

const type = 'any';
/** Replaces a part that cannot be sent: vendors reject empty messages. */
const placeholder = { json: '{"type":"text","text":"[left out]"}' };

const text: Shape = { fields: { type, text: 'any' } };
const image_url: Shape = {
  fields: {
    type,
    image_url: {
      fields: { url: { imageUrl: /^data:image\/[^,*]{1,256};base64,/i }, detail: 'any' },
    },
  },
};
/** Bytes do not bound their cost, so the last turn must not contain them. */
const unbounded: Shape = {
  fields: {
    type: { refused: 'must be text, because size does not limit the cost of other content' },
  },
};

const own = Object.fromEntries(carryNames.map((name) => [name, 'any' as const]));
/** From a user. Forwarded if the platform's context limits its tokens. */
const file: Shape = {
  fields: {
    type: { unbounded: 'must be text, because size does not limit the cost of other content' },
    file: { fields: { file_data: 'any', file_id: 'any', filename: 'any' } },
  },
};

const texts: Shape = { list: parts({ text }), orText: true, placeholder };
const tool_calls: Shape = {
  list: {
    fields: {
      id: 'any',
      type,
      function: { fields: { name: 'any', arguments: 'any' } },
      index: 'unsent',
      extra_content: 'any',
    },
  },
};
const marks = { id: 'unsent', timestamp: 'unsent' } as const;
const common = { role: 'any', name: 'any', ...marks } as const;
const system: Shape = { fields: { ...common, content: texts } };

const roles: ReadonlyMap<unknown, Shape> = new Map<unknown, Shape>([
  ['system', system],
  ['developer', system],
  [
    'user',
    {
      fields: {
        ...common,
        content: { list: parts({ text, image_url, file }), orText: true, placeholder },
      },
    },
  ],
  [
    'assistant',
    {
      fields: {
        ...{ ...common, refusal: 'any', tool_calls, annotations: 'any', audio: 'any', ...own },
        content: {
          list: parts({ text, refusal: { fields: { type, refusal: 'any' } } }),
          ...{ orText: true, placeholder },
        },
      },
    },
  ],
  ['tool', { fields: { ...common, tool_call_id: 'any', content: texts } }],
]);

const messages: Shape = {
  list: { kindOf: (_, { role }) => roles.get(role) ?? 'any' },
  pastOf: pastTurns,
};

const names = [...Object.keys(createCompletionBody().properties), ...unsentFields.keys()];
const called = { name: 'any', description: 'any', parameters: 'any', strict: 'any' } as const;
const shape: Shape = {
  fields: {
    ...Object.fromEntries(names.map((name) => [name, 'any' as const])),
    ...{ messages, tools: { list: { fields: { type, function: { fields: called } } } } },
    stream_options: { fields: { include_usage: 'any', include_obfuscation: 'any' } },
  },
};

export interface History {
  readonly dropped: string[];
  addedBytes: number;
  /** The image count, if bytes do not bound the input. */
  unboundedImages: number | undefined;
  readonly rules: ShapeRules;
}

/** Unknown fields of new messages are dropped, or left to the body's schema. */
export function chatRules({ unknownFields, ...others }: ShapeRules): ShapeRules {
  const known = unknownFields === 'ignore' ? 'ignore' : 'keep';
  return { ...others, unknownFields: known };
}

/**
 * Edits past messages in place, so the body must be unshared. The schema checks new messages.
 * Throws INVALID for input whose tokens bytes do not bound.
 */
export function readHistory(body: unknown, history: History) {
  if (!isRecord(body) || !Array.isArray(body.messages)) return;
  for (const message of body.messages) renameTexts(message);
  const { edits, dropped, addedTokens, ...inspected } = inspect(shape, body, history.rules);
  applyEdits(body, edits);
  complete(body.messages);
  history.dropped.push(...dropped);
  history.addedBytes += addedTokens;
  if (inspected.isUnbounded) history.unboundedImages = inspected.images;
}

function renameTexts(message: unknown) {
  const content = isRecord(message) ? message.content : undefined;
  if (!Array.isArray(content)) return;
  for (const part of content) {
    if (!isRecord(part) || typeof part.text !== 'string') continue;
    if (part.type !== 'input_text' && part.type !== 'output_text') continue;
    Reflect.set(part, 'type', 'text');
    Reflect.deleteProperty(part, 'annotations');
    Reflect.deleteProperty(part, 'logprobs');
  }
}

/** Some clients send variants: empty contents, calls without a type, arguments as values. */
function complete(items: readonly unknown[]) {
  const isFollowed = isBeforeUser(items);
  for (const [index, item] of items.entries()) {
    if (!isRecord(item)) continue;
    const { role, content, tool_calls, refusal } = item;
    const isMissing = content === undefined || content === null;
    const hasCalls = Array.isArray(tool_calls) && tool_calls.length > 0;
    const isSaid = role === 'assistant' && (hasCalls || typeof refusal === 'string');
    const isReasoned = carriedFieldsOf(item) !== undefined;
    const mayMiss = role === 'tool' || isReasoned || isFollowed(item, index);
    const isEmptyList = Array.isArray(content) && content.length === 0;
    if (isEmptyList || (isMissing && mayMiss && !isSaid)) Reflect.set(item, 'content', '');
    if (role === 'assistant' && Array.isArray(tool_calls))
      for (const call of tool_calls) completeCall(call);
  }
}

function completeCall(call: unknown) {
  if (!isRecord(call)) return;
  if (call.type === undefined) Reflect.set(call, 'type', 'function');
  const called = call.function;
  if (!isRecord(called) || !isRecord(called.arguments)) return;
  Reflect.set(called, 'arguments', writeJson(called.arguments));
}

/** Unknown parts are left to the body's schema, except in history. */
function parts(shapes: Readonly<Record<string, Shape>>): Shape {
  const all: Readonly<Record<string, Shape>> = {
    ...{ input_audio: unbounded, file: unbounded, image_url: unbounded },
    ...shapes,
  };
  return {
    kindOf: (kind) =>
      typeof kind === 'string' && Object.hasOwn(all, kind) ? all[kind] : undefined,
  };
}

/** Edits in place, so the body must be unshared. Never removes list items. */
export function applyEdits(body: unknown, edits: readonly JsonEdit[]) {
  for (const { path, json } of edits) {
    const last = path.at(-1) ?? '';
    const owner = path.slice(0, -1).reduce(memberOf, body);
    if (Array.isArray(owner) && json !== undefined) owner[Number(last)] = JSON.parse(json);
    else if (isRecord(owner) && json !== undefined) Reflect.set(owner, last, JSON.parse(json));
    else if (isRecord(owner)) Reflect.deleteProperty(owner, last);
  }
}

function memberOf(owner: unknown, step: string | number): unknown {
  if (Array.isArray(owner)) return owner[Number(step)];
  return isRecord(owner) ? owner[step] : undefined;
}
