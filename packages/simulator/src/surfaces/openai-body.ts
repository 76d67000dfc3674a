import { type Fields, fieldsOf, isParameter } from '../lib/fields.ts';
import { invalid } from '../lib/platform-error.ts';
import type { ModelRequest, OfferedTool, ToolChoice } from '../model/model-request.ts';

export const tokensMax = 100_000_000;

const toolsMax = 500;

export function openaiBody(bodyText: string, parameters: ReadonlySet<string>): Fields {
  let body: unknown;
  try {
    body = JSON.parse(bodyText);
  } catch {
    throw invalid('We could not parse the JSON body of your request.');
  }
  if (typeof body === 'object' && body !== null) {
    for (const key of Object.keys(body)) {
      if (!isParameter(key, parameters)) {
        throw invalid(`Unrecognized request argument supplied: ${key}`, key);
      }
    }
  }
  return fieldsOf(body, '');
}

export function checkSampling(body: Fields): void {
  body.number('temperature', 0, 2);
  body.number('top_p', 0, 1);
  body.boolean('parallel_tool_calls');
  body.text('user');
}

export function decodeStream(body: Fields): Pick<ModelRequest, 'stream'> {
  const options = body.fields('stream_options');
  if (body.boolean('stream') !== true) {
    if (options === undefined) return {};
    const message = "The 'stream_options' parameter is only allowed when 'stream' is enabled.";
    throw invalid(message, 'stream_options');
  }
  options?.boolean('include_obfuscation');
  return { stream: { includeUsage: options?.boolean('include_usage') === true } };
}

/** All are functions; `definitionOf` finds name and schema, `functionsOf` an entry's functions. */
export function decodeTools(
  body: Fields,
  definitionOf: (tool: Fields) => Fields,
  functionsOf: (entry: Fields) => readonly Fields[] = (entry) => [entry],
): readonly OfferedTool[] {
  const list = body.list('tools');
  if (list === undefined) return [];
  if (list.length === 0 || list.length > toolsMax) {
    throw invalid(`Invalid 'tools': expected 1 to ${toolsMax} items.`, 'tools');
  }
  const entries = list.map((entry, index) => fieldsOf(entry, `tools[${index}]`));
  return entries.flatMap(functionsOf).map((tool) => {
    if (tool.requiredText('type') !== 'function') {
      const path = tool.path('type');
      throw invalid(`Invalid value for '${path}': expected 'function'.`, path);
    }
    const definition = definitionOf(tool);
    const name = checkedName(definition);
    const schema = definition.value('parameters');
    if (schema !== undefined) fieldsOf(schema, definition.path('parameters'));
    return { name, description: definition.text('description') ?? '', parameters: schema };
  });
}

export function checkedName(definition: Fields): string {
  const name = definition.requiredText('name');
  if (/^[a-zA-Z0-9_-]{1,64}$/.test(name)) return name;
  const path = definition.path('name');
  throw invalid(`Invalid '${path}': expected a string that matches '^[a-zA-Z0-9_-]{1,64}$'.`, path);
}

export function decodeToolChoice(
  body: Fields,
  tools: readonly OfferedTool[],
  definitionOf: (choice: Fields) => Fields,
): ToolChoice {
  const choice = body.value('tool_choice');
  if (choice === undefined) return 'auto';
  if (tools.length === 0) {
    throw invalid("'tool_choice' is only allowed when 'tools' are specified.", 'tool_choice');
  }
  if (choice === 'auto' || choice === 'none' || choice === 'required') return choice;
  const name = definitionOf(fieldsOf(choice, 'tool_choice')).requiredText('name');
  if (tools.some((tool) => tool.name === name)) return { name };
  throw invalid(`Tool choice '${name}' not found in 'tools' parameter.`, 'tool_choice');
}

/** An image must come with the request: the simulator makes no outside requests. */
export function checkImageUrl(url: string, path: string): void {
  if (url.startsWith('data:image/') && url.includes(';base64,')) return;
  throw invalid('Invalid image: expected a base64 data URL.', path);
}
