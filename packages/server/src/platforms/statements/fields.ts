import type { Statement } from './statement.ts';

export type FieldMeaning =
  | 'messages'
  | 'maxTokens'
  | 'tools'
  | 'toolChoice'
  | 'schema'
  | 'stop'
  | 'topP'
  | 'reasoning';

export interface FieldLine extends Statement {
  readonly field: string;
  readonly means: FieldMeaning;
}

function fieldsOf(
  vendor: string,
  source: string,
  fields: Readonly<Record<string, FieldMeaning>>,
): readonly FieldLine[] {
  return Object.entries(fields).map(([field, means]) => ({ vendor, source, field, means }));
}

/** A field with the caller's own name needs no line. */
export const fieldLines: readonly FieldLine[] = [
  ...fieldsOf('OpenAI', 'https://platform.openai.com/docs/api-reference/chat/create', {
    ...{ messages: 'messages', max_tokens: 'maxTokens', max_completion_tokens: 'maxTokens' },
    ...{ tools: 'tools', tool_choice: 'toolChoice', response_format: 'schema', stop: 'stop' },
    ...{ top_p: 'topP', reasoning_effort: 'reasoning' },
  }),
  ...fieldsOf('OpenAI', 'https://platform.openai.com/docs/api-reference/responses/create', {
    ...{ input: 'messages', instructions: 'messages', max_output_tokens: 'maxTokens' },
    ...{ text: 'schema', reasoning: 'reasoning' },
  }),
  ...fieldsOf('Anthropic', 'https://docs.anthropic.com/en/api/messages', {
    ...{ system: 'messages', stop_sequences: 'stop', output_config: 'schema' },
    ...{ output_format: 'schema', thinking: 'reasoning' },
  }),
  ...fieldsOf('Google', 'https://ai.google.dev/api/generate-content', {
    ...{ contents: 'messages', system_instruction: 'messages', systemInstruction: 'messages' },
    ...{ maxOutputTokens: 'maxTokens', tool_config: 'toolChoice', toolConfig: 'toolChoice' },
    ...{ response_schema: 'schema', responseSchema: 'schema', stopSequences: 'stop' },
    ...{ response_json_schema: 'schema', responseJsonSchema: 'schema', topP: 'topP' },
    ...{ thinking_config: 'reasoning', thinkingConfig: 'reasoning' },
  }),
];

export const wrapperLines: readonly (Statement & { readonly step: string })[] = [
  {
    ...{ step: 'generation_config', vendor: 'Google' },
    source: 'QuantumNous/new-api#1037',
  },
  {
    ...{ step: 'generationConfig', vendor: 'Google' },
    source: 'https://ai.google.dev/api/generate-content',
  },
  {
    ...{ step: 'GenerateContentRequest', vendor: 'Google' },
    source: 'danny-avila/LibreChat#6971',
  },
  { ...{ step: 'request', vendor: 'Google' }, source: 'router-for-me/CLIProxyAPI#97' },
  {
    ...{ step: 'body', vendor: 'FastAPI servers' },
    source: 'https://fastapi.tiangolo.com/tutorial/handling-errors/',
  },
  {
    ...{ step: 'inferenceConfig', vendor: 'Amazon Bedrock' },
    source: 'https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html',
  },
];
