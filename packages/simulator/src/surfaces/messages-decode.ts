import { type Fields, fieldsOf, isParameter, missingField, wrongType } from '../lib/fields.ts';
import { invalid } from '../lib/platform-error.ts';
import type { Exchange } from '../lib/wire.ts';
import type {
  AnswerFormat,
  ModelMessage,
  ModelRequest,
  OfferedTool,
  ToolChoice,
} from '../model/model-request.ts';
import { decodeConversation, decodeSystem } from './messages-conversation.ts';

const tokensMax = 100_000_000;
const stopMax = 8_191;
const toolsMax = 500;

const parameters: ReadonlySet<string> = new Set([
  ...['model', 'messages', 'max_tokens', 'system', 'temperature', 'top_p', 'top_k', 'metadata'],
  ...['stop_sequences', 'tools', 'tool_choice', 'output_config', 'stream', 'service_tier'],
  ...['thinking', 'cache_control', 'container', 'inference_geo', 'context_management'],
]);

export function decodeMessagesBody(bodyText: string, header: Exchange['header']): ModelRequest {
  const body = fieldsOf(parsed(bodyText), '');
  const model = body.requiredText('model');
  const maxOutputTokens = body.integer('max_tokens', 1, tokensMax);
  if (maxOutputTokens === undefined) throw missingField('max_tokens');
  checkOrdinary(body);
  const tools = decodeTools(body);
  const system = decodeSystem(body);
  return {
    model,
    messages: [...system, ...decodeConversation(body, hasSystem(header))],
    tools,
    toolChoice: decodeToolChoice(body, tools),
    format: decodeFormat(body) ?? formatInSystem(system),
    stop: decodeStop(body),
    maxOutputTokens,
    ...(body.boolean('stream') === true && { stream: { includeUsage: true } }),
  };
}

function hasSystem(header: Exchange['header']): boolean {
  return (header('anthropic-beta') ?? '').includes('mid-conversation-');
}

function parsed(bodyText: string): unknown {
  let body: unknown;
  try {
    body = JSON.parse(bodyText);
  } catch {
    throw invalid('The request body is not valid JSON.');
  }
  if (typeof body === 'object' && body !== null) {
    for (const key of Object.keys(body)) {
      if (!isParameter(key, parameters))
        throw invalid(`${key}: Extra inputs are not permitted`, key);
    }
  }
  return body;
}

function checkOrdinary(body: Fields): void {
  body.number('temperature', 0, 1);
  body.number('top_p', 0, 1);
  body.integer('top_k', 0, Number.MAX_SAFE_INTEGER);
}

function decodeStop(body: Fields): readonly string[] {
  const texts = (body.list('stop_sequences') ?? []).map((text, index) => {
    const path = `stop_sequences.${index}`;
    if (typeof text !== 'string') throw wrongType(path, 'a string', text);
    if (text.trim() === '') throw invalid(`${path}: each one must contain non-whitespace`, path);
    return text;
  });
  if (texts.length > stopMax) throw invalid(`stop_sequences: at most ${stopMax} items`);
  return texts;
}

function decodeTools(body: Fields): readonly OfferedTool[] {
  const list = body.list('tools') ?? [];
  if (list.length > toolsMax) throw invalid(`tools: at most ${toolsMax} items`, 'tools');
  const names = new Set<string>();
  return list.map((entry, index) => {
    const tool = fieldsOf(entry, `tools.${index}`);
    const type = tool.text('type') ?? 'custom';
    if (type !== 'custom') throw invalid(`${tool.path('type')}: '${type}' is not known here`);
    const name = toolName(tool);
    if (names.has(name)) throw invalid('tools: Tool names must be unique.', 'tools');
    names.add(name);
    return { name, description: tool.text('description') ?? '', parameters: inputSchema(tool) };
  });
}

function inputSchema(tool: Fields): unknown {
  const schema = tool.fields('input_schema');
  if (schema === undefined) throw missingField(tool.path('input_schema'));
  if (schema.text('type') === 'object') return tool.value('input_schema');
  throw invalid(`${schema.path('type')}: Input should be 'object'`, schema.path('type'));
}

function toolName(tool: Fields): string {
  const name = tool.requiredText('name');
  if (/^[a-zA-Z0-9_-]{1,128}$/.test(name)) return name;
  const path = tool.path('name');
  throw invalid(`${path}: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`, path);
}

function decodeToolChoice(body: Fields, tools: readonly OfferedTool[]): ToolChoice {
  const choice = body.fields('tool_choice');
  if (choice === undefined) return 'auto';
  choice.boolean('disable_parallel_tool_use');
  const type = choice.requiredText('type');
  if (type === 'none') return 'none';
  if (tools.length === 0) {
    throw invalid('tool_choice: may only be specified while providing tools.', 'tool_choice');
  }
  if (type === 'auto') return 'auto';
  if (type === 'any') return 'required';
  if (type !== 'tool') throw invalid(`tool_choice.type: '${type}' is none`, 'tool_choice.type');
  const name = choice.requiredText('name');
  if (tools.some((tool) => tool.name === name)) return { name };
  throw invalid(`Tool '${name}' not found in provided tools`, 'tool_choice.name');
}

function decodeFormat(body: Fields): AnswerFormat | undefined {
  const format = body.fields('output_config')?.fields('format');
  if (format === undefined) return undefined;
  const type = format.requiredText('type');
  if (type !== 'json_schema') {
    throw invalid(`output_config.format.type: '${type}' is not known`, 'output_config.format.type');
  }
  if (format.fields('schema') === undefined) throw missingField('output_config.format.schema');
  return { kind: 'json-schema', schema: format.value('schema') };
}

/** The wire has no JSON mode without a schema: models follow instructions. */
function formatInSystem(system: readonly ModelMessage[]): AnswerFormat {
  const requestsJson = system.some(({ texts }) =>
    texts.some((text) => text.includes('JSON object')),
  );
  return { kind: requestsJson ? 'json-object' : 'text' };
}
