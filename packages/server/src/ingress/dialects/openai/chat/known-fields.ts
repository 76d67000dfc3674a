import { isRecord } from '../../../../lib/json-value.ts';
import { invalid } from '../../../body/parse.ts';

export interface Unsent {
  readonly takes: (value: unknown) => boolean;
  readonly why: string;
}

const one = (value: unknown) => value === 1;
const off = (value: unknown) => value === false || value === 0;
const any = () => true;
const never = () => false;
const isEmptyList = (value: unknown) => Array.isArray(value) && value.length === 0;
const uncovered = 'the reservation does not cover its cost';
const unsaid = 'is not supported by every platform; remove it';

function isDefaultCache(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { mode = 'implicit', ttl = '30m', ...others } = value;
  return mode === 'implicit' && ttl === '30m' && isEmpty(others);
}

export const unsentFields: ReadonlyMap<string, Unsent> = new Map<string, Unsent>([
  ['n', { takes: one, why: 'must be 1, because more responses multiply the cost' }],
  ['best_of', { takes: one, why: 'must be 1, because more responses multiply the cost' }],
  ['logprobs', { takes: off, why: unsaid }],
  ['top_logprobs', { takes: off, why: unsaid }],
  ['logit_bias', { takes: (value) => isRecord(value) && isEmpty(value), why: unsaid }],
  [
    'service_tier',
    {
      takes: (value) => value === 'auto' || value === 'default',
      why: 'must be auto or default; other values have a different price',
    },
  ],
  ['store', { takes: (value) => typeof value === 'boolean', why: 'must be true or false' }],
  ['prompt_cache_key', { takes: any, why: '' }],
  [
    'prompt_cache_retention',
    {
      takes: (value) => value === 'in-memory' || value === 'in_memory',
      why: 'must be in-memory; other values have a different price',
    },
  ],
  [
    'prompt_cache_options',
    {
      takes: isDefaultCache,
      why: 'must be { mode: "implicit", ttl: "30m" }, the default; POST /openai/v1/responses accepts other values',
    },
  ],
  [
    'modalities',
    {
      takes: (value) => Array.isArray(value) && value.every((item) => item === 'text'),
      why: 'must be ["text"]; the reservation does not cover the cost of other values',
    },
  ],
  ['audio', { takes: never, why: `is not supported; ${uncovered}` }],
  ['prediction', { takes: never, why: `is not supported; ${uncovered}` }],
  ['functions', { takes: isEmptyList, why: 'is an older form of tools; use tools' }],
  [
    'function_call',
    { takes: (value) => value === 'none', why: 'is an older form; use tool_choice' },
  ],
  ['web_search_options', { takes: never, why: `is not supported; ${uncovered}` }],
]);

/**
 * Also removes `null`, which clients write for an absent value. Throws INVALID for values that
 * change the cost or the meaning.
 */
export function withoutUnsent(body: unknown): unknown {
  if (!isRecord(body)) return body;
  const rest = withoutNulls(body);
  for (const [name, { takes, why }] of unsentFields) {
    const value = rest[name];
    if (value === undefined) continue;
    if (!takes(value)) throw invalid(name, why);
    delete rest[name];
  }
  for (const name of ['max_tokens', 'max_completion_tokens']) {
    // Some clients write -1 for "no limit".
    if (rest[name] === -1) delete rest[name];
  }
  if (Array.isArray(rest.messages)) rest.messages = rest.messages.map(messageOf);
  if (Array.isArray(rest.tools)) rest.tools = rest.tools.map(toolOf);
  if ('tool_choice' in rest) Object.assign(rest, choiceOf(rest.tool_choice, rest.tools));
  if ('response_format' in rest) rest.response_format = nested(rest.response_format, 'json_schema');
  if ('stream_options' in rest) rest.stream_options = nested(rest.stream_options, '');
  return rest;
}

function messageOf(message: unknown): unknown {
  if (!isRecord(message)) return message;
  const rest = withoutNulls(message);
  if (rest.role === 'assistant' && Array.isArray(rest.annotations)) delete rest.annotations;
  if (Array.isArray(rest.tool_calls) && rest.tool_calls.length === 0) delete rest.tool_calls;
  if (Array.isArray(rest.tool_calls)) {
    rest.tool_calls = rest.tool_calls.map((call) => nested(call, 'function'));
  }
  if (Array.isArray(rest.content)) {
    rest.content = rest.content.map((part) => nested(part, 'image_url'));
  }
  return rest;
}

/** Accepts the forms of other API formats. A choice among some tools sends only these tools. */
function choiceOf(choice: unknown, tools: unknown) {
  const word = isRecord(choice) && Object.keys(choice).length === 1 ? choice.type : choice;
  if (word === 'any') return { tool_choice: 'required' };
  if (word === 'auto' || word === 'none' || word === 'required') return { tool_choice: word };
  if (!isRecord(choice) || choice.type !== 'allowed_tools') return {};
  const { allowed_tools: allowed } = choice;
  const { mode, tools: list } = isRecord(allowed) ? allowed : {};
  if ((mode !== 'auto' && mode !== 'required') || !Array.isArray(list) || !Array.isArray(tools)) {
    throw invalid('tool_choice.allowed_tools', 'must have a mode of auto or required, and tools');
  }
  const names = new Set(list.map(nameOf));
  const rest = tools.filter((tool) => names.has(nameOf(tool)));
  if (rest.length === names.size) return { tool_choice: mode, tools: rest };
  throw invalid('tool_choice.allowed_tools.tools', 'name a function that is not in tools');
}

function nameOf(tool: unknown): unknown {
  return isRecord(tool) && isRecord(tool.function) ? tool.function.name : undefined;
}

/** Platforms bill the tools that they run in addition to tokens. */
function toolOf(tool: unknown, index: number): unknown {
  if (isRecord(tool) && tool.type !== 'function' && tool.type !== undefined) {
    throw invalid(
      `tools[${index}].type`,
      'must be "function"; the reservation does not cover the cost of other tools',
    );
  }
  return nested(tool, 'function');
}

/** Removes `null` in the value and in its field `name`. */
function nested(value: unknown, name: string): unknown {
  if (!isRecord(value)) return value;
  const rest = withoutNulls(value);
  const inner = rest[name];
  if (isRecord(inner)) rest[name] = withoutNulls(inner);
  return rest;
}

/** Usually nothing is `null`; then returns the same object. */
export function withoutNulls(value: Record<string, unknown>): Record<string, unknown> {
  const items = Object.values(value);
  if (!items.includes(null)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== null));
}

function isEmpty(value: object): boolean {
  return Object.keys(value).length === 0;
}
