export interface SendFields {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly tokensMax: number;
}

export const meaningfulFields: ReadonlySet<string> = new Set([
  ...['n', 'best_of', 'candidate_count', 'functions', 'function_call', 'tools', 'tool_choice'],
  ...['max_tokens', 'max_completion_tokens', 'max_output_tokens', 'max_new_tokens', 'num_predict'],
  ...['response_format', 'structured_outputs', 'grammar', 'modalities', 'audio', 'prediction'],
  ...['guided_json', 'guided_regex', 'guided_choice', 'guided_grammar', 'plugins'],
  ...['web_search_options', 'service_tier', 'logprobs'],
]);

const writtenFields: ReadonlySet<string> = new Set([
  ...['model', 'messages', 'input', 'system', 'instructions', 'prompt', 'documents', 'dimensions'],
  ...[
    'stream',
    'stream_options',
    'encoding_format',
    'store',
    'background',
    'include',
    'top_logprobs',
  ],
  ...['parallel_tool_calls', 'max_tool_calls', 'text', 'output_format', 'output_config'],
  ...['speed', 'inference_geo', 'fallbacks', 'fallback_credit_token', 'fallback_models'],
  ...['previous_response_id', 'conversation', 'thread', 'container', 'mcp_servers', 'compaction'],
  ...['context_management', 'cache_control', 'prompt_cache_options', 'prompt_cache_retention'],
  // vLLM and similar servers: the length of a template, a beam or an image.
  ...[
    'chat_template',
    'mm_processor_kwargs',
    'media_io_kwargs',
    'use_beam_search',
    'prompt_embeds',
  ],
  ...['guided_decoding_backend', 'structural_tag', 'num_return_sequences', 'prompt_logprobs'],
]);

/**
 * Only operators may set these: they select another model, vendor or price, or contain any other
 * field.
 */
const operatorFields: ReadonlySet<string> = new Set([
  ...['models', 'provider', 'route', 'transforms', 'preset', 'usage'],
  ...['extra_body', 'extra_query', 'extra_headers', 'options', 'generation_config', 'parameters'],
]);

export function isReservedField(name: string): boolean {
  return meaningfulFields.has(name) || writtenFields.has(name);
}

export function isNeverPassed(name: string): boolean {
  return isReservedField(name) || operatorFields.has(name);
}
