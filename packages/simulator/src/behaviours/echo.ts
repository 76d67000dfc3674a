import type { ModelMessage, ModelRequest, OfferedTool } from '../model/model-request.ts';
import type { Answer } from '../model/outcome.ts';
import { exampleOf } from './schema-example.ts';

/** Calls an allowed tool without results, fills a given schema, or repeats the last user text. */
export function echo(request: ModelRequest): Answer {
  const tool = toolToCall(request);
  if (tool !== undefined) {
    const input = JSON.stringify(exampleOf(tool.parameters ?? {}));
    return { kind: 'answer', toolCalls: [{ name: tool.name, arguments: input }] };
  }
  if (request.format.kind === 'json-schema') {
    return { kind: 'answer', text: JSON.stringify(exampleOf(request.format.schema)) };
  }
  if (request.format.kind === 'json-object') {
    const schema = schemaInMessages(request.messages);
    const value = schema === undefined ? { text: echoText(request) } : exampleOf(schema);
    return { kind: 'answer', text: JSON.stringify(value) };
  }
  return { kind: 'answer', text: echoText(request) };
}

export function echoText({ messages }: ModelRequest): string {
  const results = toolResults(messages);
  if (results.length > 0) return `The tools answered: ${results.join(', ')}`;
  return lastUserText({ messages });
}

export function lastUserText({ messages }: Pick<ModelRequest, 'messages'>): string {
  return messages.findLast(({ role }) => role === 'user')?.texts.join('\n') ?? '';
}

/** Undefined once there are results, or when none may be called. */
export function toolToCall({ tools, toolChoice, messages }: ModelRequest): OfferedTool | undefined {
  if (toolChoice === 'none' || toolResults(messages).length > 0) return undefined;
  if (typeof toolChoice === 'string') return tools[0];
  return tools.find(({ name }) => name === toolChoice.name);
}

function toolResults(messages: readonly ModelMessage[]): string[] {
  const start = messages.findLastIndex(({ role }) => role === 'user') + 1;
  const since = messages.slice(start).filter(({ role }) => role === 'tool');
  return since.map(({ texts }) => texts.join('\n'));
}

/** In `json_object` mode, only a message can contain the schema; the last one counts. */
function schemaInMessages(messages: readonly ModelMessage[]): unknown {
  for (const { texts } of messages.toReversed()) {
    for (const text of texts.toReversed()) {
      const candidate = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1);
      if (!candidate.includes('"properties"') && !candidate.includes('"type"')) continue;
      try {
        return JSON.parse(candidate);
      } catch {
        // Braces around text other than one JSON value: this text contains no schema.
      }
    }
  }
  return undefined;
}
