import { type Fields, fieldsOf, missingField, wrongType } from '../lib/fields.ts';
import { invalid } from '../lib/platform-error.ts';
import type { AnswerFormat, ModelRequest } from '../model/model-request.ts';
import { decodeMessages } from './chat-messages.ts';
import {
  checkedName,
  checkSampling,
  decodeStream,
  decodeToolChoice,
  decodeTools,
  openaiBody,
  tokensMax,
} from './openai-body.ts';

const stopMax = 8;

const parameters: ReadonlySet<string> = new Set([
  ...['model', 'messages', 'max_tokens', 'max_completion_tokens', 'temperature', 'top_p', 'stop'],
  ...['tools', 'tool_choice', 'parallel_tool_calls', 'response_format', 'n', 'stream', 'seed'],
  ...['stream_options', 'frequency_penalty', 'presence_penalty', 'logit_bias', 'logprobs', 'user'],
  ...['top_logprobs', 'metadata', 'store', 'reasoning_effort', 'verbosity', 'service_tier'],
  ...['safety_identifier', 'prompt_cache_key', 'prompt_cache_retention', 'modalities'],
]);

export function decodeChat(bodyText: string): ModelRequest {
  const body = openaiBody(bodyText, parameters);
  const model = body.requiredText('model');
  const messages = decodeMessages(body);
  checkOrdinary(body);
  const tools = decodeTools(body, functionIn);
  const maxTokens = body.integer('max_tokens', 1, tokensMax);
  return {
    model,
    messages,
    tools,
    toolChoice: decodeToolChoice(body, tools, functionIn),
    format: decodeFormat(body),
    stop: decodeStop(body),
    maxOutputTokens: body.integer('max_completion_tokens', 1, tokensMax) ?? maxTokens,
    isStored: body.boolean('store') === true,
    ...decodeStream(body),
  };
}

function functionIn(fields: Fields): Fields {
  const definition = fields.fields('function');
  if (definition === undefined) throw missingField(fields.path('function'));
  return definition;
}

function checkOrdinary(body: Fields): void {
  checkSampling(body);
  body.number('frequency_penalty', -2, 2);
  body.number('presence_penalty', -2, 2);
  body.integer('seed', Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
  body.text('reasoning_effort');
  if (body.integer('n', 1, 128) !== undefined && body.value('n') !== 1) {
    throw invalid("Invalid 'n': only 1 choice is supported.", 'n');
  }
}

function decodeStop(body: Fields): readonly string[] {
  const stop = body.value('stop');
  if (stop === undefined) return [];
  if (typeof stop === 'string') return [stop];
  const texts = (body.list('stop') ?? []).map((text, index) => {
    if (typeof text !== 'string') throw wrongType(`stop[${index}]`, 'a string', text);
    return text;
  });
  if (texts.length > stopMax) throw invalid(`Invalid 'stop': at most ${stopMax} items.`, 'stop');
  return texts;
}

function decodeFormat(body: Fields): AnswerFormat {
  const format = body.fields('response_format');
  if (format === undefined) return { kind: 'text' };
  const type = format.requiredText('type');
  if (type === 'text') return { kind: 'text' };
  if (type === 'json_object') return { kind: 'json-object' };
  if (type !== 'json_schema') {
    const path = 'response_format.type';
    throw invalid(`Invalid value for '${path}': '${type}'.`, path);
  }
  const definition = format.fields('json_schema');
  if (definition === undefined) throw missingField('response_format.json_schema');
  checkedName(definition);
  const schema = definition.value('schema');
  if (schema === undefined) throw missingField('response_format.json_schema.schema');
  fieldsOf(schema, 'response_format.json_schema.schema');
  return { kind: 'json-schema', schema };
}
