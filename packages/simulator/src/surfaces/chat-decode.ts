import type { AnswerFormat, ModelRequest, OfferedTool, ToolChoice } from '../model-request.ts';
import { invalid } from '../platform-error.ts';
import { decodeMessages } from './chat-messages.ts';
import { type Fields, fieldsOf, missingField, wrongType } from './fields.ts';

const tokensMax = 100_000_000;
const stopMax = 8;
const toolsMax = 128;

/** Every parameter of OpenAI chat completions; another one is refused, as the platform does. */
const parameters: ReadonlySet<string> = new Set([
  ...['model', 'messages', 'max_tokens', 'max_completion_tokens', 'temperature', 'top_p', 'stop'],
  ...['tools', 'tool_choice', 'parallel_tool_calls', 'response_format', 'n', 'stream', 'seed'],
  ...['stream_options', 'frequency_penalty', 'presence_penalty', 'logit_bias', 'logprobs', 'user'],
  ...['top_logprobs', 'metadata', 'store', 'reasoning_effort', 'verbosity', 'service_tier'],
  ...['safety_identifier', 'prompt_cache_key', 'prompt_cache_retention', 'modalities'],
]);

/** Reads the body of a chat completion as strictly as the platform does. */
export function decodeChat(bodyText: string): ModelRequest {
  const body = fieldsOf(parsed(bodyText), '');
  const model = body.requiredText('model');
  const messages = decodeMessages(body);
  checkOrdinary(body);
  const tools = decodeTools(body);
  const maxTokens = body.integer('max_tokens', 1, tokensMax);
  return {
    model,
    messages,
    tools,
    toolChoice: decodeToolChoice(body, tools),
    format: decodeFormat(body),
    stop: decodeStop(body),
    maxOutputTokens: body.integer('max_completion_tokens', 1, tokensMax) ?? maxTokens,
  };
}

function parsed(bodyText: string): unknown {
  let body: unknown;
  try {
    body = JSON.parse(bodyText);
  } catch {
    throw invalid('We could not parse the JSON body of your request.');
  }
  if (typeof body === 'object' && body !== null) {
    for (const key of Object.keys(body)) {
      if (!parameters.has(key)) {
        throw invalid(`Unrecognized request argument supplied: ${key}`, key);
      }
    }
  }
  return body;
}

/** Parameters that change nothing here, but must be of the right type. */
function checkOrdinary(body: Fields): void {
  body.number('temperature', 0, 2);
  body.number('top_p', 0, 1);
  body.number('frequency_penalty', -2, 2);
  body.number('presence_penalty', -2, 2);
  body.integer('seed', Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
  body.boolean('parallel_tool_calls');
  body.text('user');
  body.text('reasoning_effort');
  if (body.integer('n', 1, 128) !== undefined && body.value('n') !== 1) {
    throw invalid("Invalid 'n': only 1 choice is supported.", 'n');
  }
  if (body.boolean('stream') === true) throw invalid('Streaming is not supported.', 'stream');
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

function decodeTools(body: Fields): readonly OfferedTool[] {
  const list = body.list('tools');
  if (list === undefined) return [];
  if (list.length === 0 || list.length > toolsMax) {
    throw invalid(`Invalid 'tools': expected 1 to ${toolsMax} items.`, 'tools');
  }
  return list.map((entry, index) => {
    const at = `tools[${index}]`;
    const tool = fieldsOf(entry, at);
    if (tool.requiredText('type') !== 'function') {
      throw invalid(`Invalid value for '${at}.type': expected 'function'.`, `${at}.type`);
    }
    const definition = tool.fields('function');
    if (definition === undefined) throw missingField(`${at}.function`);
    const name = toolName(definition);
    const schema = definition.value('parameters');
    if (schema !== undefined) fieldsOf(schema, `${at}.function.parameters`);
    return { name, description: definition.text('description') ?? '', parameters: schema };
  });
}

function toolName(definition: Fields): string {
  const name = definition.requiredText('name');
  if (/^[a-zA-Z0-9_-]{1,64}$/.test(name)) return name;
  const path = definition.path('name');
  throw invalid(`Invalid '${path}': expected a string that matches '^[a-zA-Z0-9_-]{1,64}$'.`, path);
}

function decodeToolChoice(body: Fields, tools: readonly OfferedTool[]): ToolChoice {
  const choice = body.value('tool_choice');
  if (choice === undefined) return 'auto';
  if (tools.length === 0) {
    throw invalid("'tool_choice' is only allowed when 'tools' are specified.", 'tool_choice');
  }
  if (choice === 'auto' || choice === 'none' || choice === 'required') return choice;
  const chosen = fieldsOf(choice, 'tool_choice').fields('function');
  if (chosen === undefined) throw missingField('tool_choice.function');
  const name = chosen.requiredText('name');
  if (tools.some((tool) => tool.name === name)) return { name };
  throw invalid(`Tool choice '${name}' not found in 'tools' parameter.`, 'tool_choice');
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
  toolName(definition);
  const schema = definition.value('schema');
  if (schema === undefined) throw missingField('response_format.json_schema.schema');
  fieldsOf(schema, 'response_format.json_schema.schema');
  return { kind: 'json-schema', schema };
}
