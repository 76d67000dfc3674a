import { type Fields, fieldsOf, missingField } from '../lib/fields.ts';
import { invalid } from '../lib/platform-error.ts';
import type { AnswerFormat, ModelRequest } from '../model/model-request.ts';
import {
  checkedName,
  checkSampling,
  decodeStream,
  decodeToolChoice,
  decodeTools,
  openaiBody,
  tokensMax,
} from './openai-body.ts';
import { decodeInput } from './responses-input.ts';

const tokensMin = 16;

/** The platform rejects all others, including `stop`. */
const parameters: ReadonlySet<string> = new Set([
  ...['model', 'input', 'instructions', 'max_output_tokens', 'temperature', 'top_p', 'store'],
  ...['tools', 'tool_choice', 'parallel_tool_calls', 'max_tool_calls', 'text', 'stream', 'include'],
  ...['reasoning', 'previous_response_id', 'conversation', 'background', 'prompt', 'truncation'],
  ...['metadata', 'user', 'top_logprobs', 'service_tier', 'stream_options', 'safety_identifier'],
  ...['prompt_cache_key', 'prompt_cache_retention', 'prompt_cache_options', 'context_management'],
  'client_metadata',
]);

export function decodeResponses(bodyText: string): ModelRequest {
  const body = openaiBody(bodyText, parameters);
  const model = body.requiredText('model');
  const messages = decodeInput(body);
  checkOrdinary(body);
  // Chat completions reject an empty list; here the platform's own SDK for agents sends one.
  const isEmpty = body.list('tools')?.length === 0;
  const tools = isEmpty ? [] : decodeTools(body, itself, functionsOf);
  return {
    model,
    messages,
    tools,
    toolChoice: decodeToolChoice(body, tools, functionItself),
    format: decodeFormat(body),
    stop: [],
    maxOutputTokens: body.integer('max_output_tokens', tokensMin, tokensMax),
    // It stores every response for 30 days by default.
    isStored: body.boolean('store') !== false,
    ...decodeStream(body),
  };
}

function itself(tool: Fields): Fields {
  tool.boolean('strict');
  return tool;
}

/** A namespace contains functions; every other entry is one. */
function functionsOf(entry: Fields): readonly Fields[] {
  if (entry.text('type') !== 'namespace') return [entry];
  const path = entry.path('tools');
  return (entry.list('tools') ?? []).map((tool, index) => fieldsOf(tool, `${path}[${index}]`));
}

function functionItself(choice: Fields): Fields {
  if (choice.requiredText('type') === 'function') return choice;
  const path = choice.path('type');
  throw invalid(`Invalid value for '${path}': expected 'function'.`, path);
}

function checkOrdinary(body: Fields): void {
  checkSampling(body);
  body.list('include');
  body.fields('reasoning')?.text('effort');
  if (body.boolean('background') === true) {
    throw invalid('Background responses are not supported.', 'background');
  }
  for (const key of ['previous_response_id', 'conversation', 'prompt']) {
    if (body.value(key) === undefined) continue;
    throw invalid(`Invalid '${key}': nothing of that id was found.`, key, 'not_found');
  }
}

function decodeFormat(body: Fields): AnswerFormat {
  const format = body.fields('text')?.fields('format');
  if (format === undefined) return { kind: 'text' };
  const type = format.requiredText('type');
  if (type === 'text') return { kind: 'text' };
  if (type === 'json_object') return { kind: 'json-object' };
  if (type !== 'json_schema') {
    const path = format.path('type');
    throw invalid(`Invalid value for '${path}': '${type}'.`, path);
  }
  checkedName(format);
  format.boolean('strict');
  const schema = format.value('schema');
  if (schema === undefined) throw missingField(format.path('schema'));
  fieldsOf(schema, format.path('schema'));
  return { kind: 'json-schema', schema };
}
