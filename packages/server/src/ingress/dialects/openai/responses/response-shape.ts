import type { Shape } from '../../relay/shape.ts';

const kept = 'is kept at the platform, and is no part of the request';
const file = { unbounded: kept } as const;
const stored = { refused: kept } as const;
const priced = { refused: 'changes what a call costs, and no hold covers that' } as const;

const type = 'any';
const own: Readonly<Record<string, Shape>> = { type, id: 'any', status: 'any' };
const call = { ...own, call_id: 'any', name: 'any', namespace: 'any', caller: 'any' } as const;

const mode: Shape = { words: ['implicit', 'explicit'] };
const lifetime = { short: '30m', long: '12h', areStated: false };
const prompt_cache_breakpoint: Shape = { fields: { mode, ttl: { lifetime } } };

const part: Shape = kinds({
  input_text: { fields: { type, text: 'any', prompt_cache_breakpoint } },
  output_text: { fields: { type, text: 'any', annotations: 'any', logprobs: 'any' } },
  refusal: { fields: { type, refusal: 'any' } },
  input_image: {
    fields: {
      ...{ type, detail: 'any', image_url: 'image-url', file_id: file },
      prompt_cache_breakpoint,
    },
  },
  input_file: file,
});
const parts: Shape = { list: part, orText: true };

const role: Shape = { words: ['user', 'assistant', 'system', 'developer'] };
const message: Shape = { fields: { ...own, role, phase: 'any', content: parts } };

const item: Shape = kinds({
  message,
  function_call: { fields: { ...call, arguments: 'json-text' } },
  function_call_output: { fields: { ...call, output: parts } },
  custom_tool_call: { fields: { ...call, input: 'any' } },
  custom_tool_call_output: { fields: { ...call, output: parts } },
  local_shell_call: { fields: { ...call, action: 'any' } },
  local_shell_call_output: { fields: { ...call, output: 'any' } },
  reasoning: { fields: { ...own, summary: 'any', content: 'any', encrypted_content: 'any' } },
  item_reference: stored,
});

const described = { type, name: 'any', description: 'any', defer_loading: 'any' } as const;
const fn: Shape = {
  fields: { ...described, parameters: 'any', strict: 'any', output_schema: 'any' },
  named: 'name',
};
const custom: Shape = { fields: { ...described, format: 'any' }, named: 'name' };
const form: Shape = {
  fields: {
    type: { words: ['text', 'json_schema', 'json_object'] },
    ...{ name: 'any', description: 'any', schema: 'any', strict: 'any' },
  },
};
const namespace: Shape = {
  fields: { ...described, tools: { list: kinds({ function: fn, custom }) } },
};
const tools = new Map<string, Shape>([
  ...([
    ['function', fn],
    ['custom', custom],
    ['namespace', namespace],
  ] as const),
  ['local_shell', { fields: { type }, tokens: 2_048 }],
]);
const serverTools =
  /^(web_search|file_search|code_interpreter|image_generation|mcp|shell|tool_search|computer|programmatic)/;

/** Every field of a request for a response that is taken. Source: the types of openai 7.57. */
export const responseShape: Shape = {
  fields: {
    ...{ model: 'any', instructions: 'any', max_output_tokens: 'any', stream: 'any', store: 'any' },
    input: { list: { kindOf: (kind) => itemOf(kind) }, orText: true },
    tools: { list: { kindOf: toolOf } },
    ...{ tool_choice: 'any', parallel_tool_calls: 'any', max_tool_calls: 'any', include: 'any' },
    ...{ temperature: 'any', top_p: 'any', top_logprobs: 'any', truncation: 'any' },
    text: { fields: { format: form, verbosity: 'any' } },
    ...{ reasoning: 'any', metadata: 'any', client_metadata: 'any', prompt_cache_key: 'any' },
    ...{ user: 'any', safety_identifier: 'any' },
    stream_options: { fields: { include_obfuscation: 'any' } },
    prompt_cache_options: { fields: { mode, ttl: { lifetime, isDefault: true } } },
    prompt_cache_retention: { only: ['in_memory', 'in-memory'] },
    service_tier: { only: ['default', 'auto'] },
    ...{ previous_response_id: stored, conversation: stored, prompt: stored, background: stored },
    context_management: priced,
  },
};

/** An item without a type is a message. */
function itemOf(kind: unknown): Shape | undefined {
  return kind === undefined || kind === null ? message : item;
}

function toolOf(kind: unknown): Shape | 'server-tool' | undefined {
  const name = String(kind);
  return serverTools.test(name) ? 'server-tool' : tools.get(name);
}

function kinds(shapes: Readonly<Record<string, Shape>>): Shape {
  return {
    kindOf: (kind) =>
      typeof kind === 'string' && Object.hasOwn(shapes, kind) ? shapes[kind] : undefined,
  };
}
