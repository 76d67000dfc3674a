import { isRecord } from '../../../lib/json-value.ts';
import { pastTurns } from '../relay/past-turns.ts';
import type { FieldsShape, Shape } from '../relay/shape.ts';

const storedDataText = 'refers to data that is stored on the platform and not part of the request';
const file = { unbounded: storedDataText } as const;
const stored = { refused: storedDataText } as const;
const priced: Shape = {
  refused: 'changes the price of a call, which no reservation covers',
  isAlways: true,
};
const written = 'any';

const type = 'any';
const own: Readonly<Record<string, Shape>> = { type, id: 'any', status: 'any' };
const call = { ...own, call_id: 'any', name: 'any', namespace: 'any', caller: 'any' } as const;

const mode: Shape = { words: ['implicit', 'explicit'] };
const lifetime = { short: '30m', long: '12h', areReported: false };
const prompt_cache_breakpoint: Shape = { fields: { mode, ttl: { lifetime } } };

const part: Shape = kinds({
  input_text: { fields: { type, text: 'any', prompt_cache_breakpoint } },
  output_text: { fields: { type, text: 'any', annotations: 'any', logprobs: 'any' } },
  refusal: { fields: { type, refusal: 'any' } },
  input_image: {
    fields: {
      ...{ type, detail: 'any', image_url: { imageUrl: /^data:/i }, file_id: file },
      prompt_cache_breakpoint,
    },
  },
  input_file: file,
});
/** Replaces a part that cannot be sent: vendors reject empty messages. */
const placeholderFor = (type: string) => ({ json: `{"type":"${type}","text":"[left out]"}` });
const parts: Shape = { list: part, orText: true, placeholder: placeholderFor('input_text') };
const outputParts: Shape = { list: part, orText: true, placeholder: placeholderFor('output_text') };

const role: Shape = { words: ['user', 'assistant', 'system', 'developer'] };
const message: Shape = { fields: { ...own, role, phase: 'any', content: parts }, named: 'role' };
const assistantMessage: Shape = { fields: { ...own, role, phase: 'any', content: outputParts } };

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
  ['apply_patch', { fields: { type }, tokens: 2_048 }],
]);
const search: Shape = {
  fields: { ...described, execution: 'any', parameters: 'any' },
  tokens: 2_048,
};
const shell: Shape = {
  fields: { type, environment: { fields: { type, skills: stored } } },
  tokens: 2_048,
};
const serverTools =
  /^(web_search|file_search|code_interpreter|image_generation|mcp|shell|tool_search|computer|programmatic)/;

const item: Shape = kinds({
  function_call: { fields: { ...call, arguments: 'json-text' } },
  function_call_output: { fields: { ...call, output: parts } },
  custom_tool_call: { fields: { ...call, input: 'any' } },
  custom_tool_call_output: { fields: { ...call, output: parts } },
  local_shell_call: { fields: { ...call, action: 'any' } },
  local_shell_call_output: { fields: { ...call, output: 'any' } },
  reasoning: { fields: { ...own, summary: 'any', content: 'any', encrypted_content: 'any' } },
  item_reference: { ...stored, isAlways: true },
  // Codex and the agents of OpenAI retain these items for tools and compacted conversations.
  compaction: { fields: { ...own, encrypted_content: written } },
  compaction_trigger: { fields: own },
  agent_message: { fields: { ...own, author: 'any', recipient: 'any', content: parts } },
  tool_search_call: { fields: { ...call, execution: 'any', arguments: written } },
  tool_search_output: {
    fields: { ...call, execution: 'any', tools: { list: { kindOf: toolOf } } },
    isSchema: true,
  },
  shell_call: { fields: { ...call, action: written, environment: 'any' } },
  shell_call_output: { fields: { ...call, output: written, max_output_length: 'any' } },
  apply_patch_call: { fields: { ...call, operation: written } },
  apply_patch_call_output: { fields: { ...call, output: written } },
  web_search_call: { fields: { ...own, action: written } },
  file_search_call: { fields: { ...own, queries: written, results: written } },
  mcp_list_tools: { fields: { ...own, server_label: 'any', tools: written, error: written } },
  mcp_call: {
    fields: {
      ...{ ...call, server_label: 'any', arguments: 'json-text', output: written, error: written },
      approval_request_id: 'any',
    },
  },
});

/** All accepted fields. From the types of openai 7.57. */
export const responseShape: FieldsShape = {
  fields: {
    ...{ model: 'any', instructions: 'any', max_output_tokens: 'any', stream: 'any', store: 'any' },
    input: {
      ...{ list: { kindOf: itemOf }, orText: true },
      ...{ placeholder: { json: undefined }, pastOf: pastTurns },
    },
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
function itemOf(kind: unknown, { role }: Readonly<Record<string, unknown>>): Shape | undefined {
  const isMessage = kind === undefined || kind === null || kind === 'message';
  if (isMessage) return role === 'assistant' ? assistantMessage : message;
  return item;
}

function toolOf(
  kind: unknown,
  { environment, execution }: Readonly<Record<string, unknown>>,
): Shape | 'server-tool' | undefined {
  const name = String(kind);
  if (name === 'tool_search' && execution === 'client') return search;
  if (name === 'shell' && isRecord(environment) && environment.type === 'local') return shell;
  return serverTools.test(name) ? 'server-tool' : tools.get(name);
}

function kinds(shapes: Readonly<Record<string, Shape>>): Shape {
  return {
    kindOf: (kind) =>
      typeof kind === 'string' && Object.hasOwn(shapes, kind) ? shapes[kind] : undefined,
  };
}
