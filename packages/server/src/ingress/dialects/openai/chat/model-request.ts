import type { CompletionRequest } from '../../../../calls/model-operations/completion.ts';
import { invalid } from '../../../body/parse.ts';
import type { CompletionBody } from './body.ts';

type ModelRequestFields = CompletionRequest['modelRequest'];
type Words = CompletionRequest['words'];

/** Without the conversation. Throws INVALID with the field. */
export function modelRequestOf(
  body: CompletionBody,
): Pick<CompletionRequest, 'modelRequest' | 'tools' | 'schema'> {
  const tools = toolsOf(body);
  const json = jsonOf(body.response_format);
  const modelRequest: ModelRequestFields = {
    frequencyPenalty: body.frequency_penalty,
    presencePenalty: body.presence_penalty,
    seed: body.seed,
    reasoning: body.reasoning_effort,
    verbosity: body.verbosity,
    json,
    tools,
    toolChoice: tools && choiceOf(body.tool_choice),
    parallelToolCalls: tools && body.parallel_tool_calls,
  };
  return { modelRequest, tools, schema: json?.schema };
}

export function wordsOf(body: CompletionBody, remotePath: string | undefined): Words {
  const words: [Parameters<Words['get']>[0], string | false | undefined][] = [
    ['seed', body.seed !== undefined && 'seed'],
    ['stop', hasStop(body) && 'stop'],
    ['frequencyPenalty', body.frequency_penalty !== undefined && 'frequency_penalty'],
    ['presencePenalty', body.presence_penalty !== undefined && 'presence_penalty'],
    ['remoteParts', remotePath],
    ['verbosity', body.verbosity !== undefined && 'verbosity'],
    ['jsonObject', body.response_format?.type === 'json_object' && 'response_format'],
  ];
  if (body.tools !== undefined && body.tool_choice !== 'none') {
    const strict = body.tools.findIndex((tool) => tool.function.strict === true);
    words.push([
      'parallelToolCalls',
      body.parallel_tool_calls !== undefined && 'parallel_tool_calls',
    ]);
    words.push(['strictTools', strict !== -1 && `tools[${strict}].function.strict`]);
  }
  const fields = new Map<Parameters<Words['get']>[0], string>();
  for (const [word, field] of words) if (typeof field === 'string') fields.set(word, field);
  return fields;
}

function hasStop({ stop }: CompletionBody): boolean {
  return stop !== undefined && stop.length > 0;
}

function toolsOf({ tools, tool_choice: choice }: CompletionBody): ModelRequestFields['tools'] {
  const isNeeded = choice === 'required' || typeof choice === 'object';
  if (tools === undefined || tools.length === 0) {
    if (isNeeded) throw invalid('tool_choice', 'requires a tool, but tools is empty');
    return undefined;
  }
  const names = new Set<string>();
  for (const [index, { function: called }] of tools.entries()) {
    if (names.has(called.name)) {
      throw invalid(`tools[${index}].function.name`, `is given twice: "${called.name}"`);
    }
    names.add(called.name);
  }
  if (typeof choice === 'object' && !names.has(choice.function.name)) {
    const named = JSON.stringify(choice.function.name);
    throw invalid('tool_choice.function.name', `does not match any tool: ${named}`);
  }
  if (choice === 'none') return undefined;
  return tools.map(({ function: { name, description, parameters, strict } }) => ({
    name,
    ...(description === undefined ? {} : { description }),
    inputSchema: parameters ?? { type: 'object', properties: {} },
    ...(strict === undefined ? {} : { strict }),
  }));
}

function choiceOf(choice: CompletionBody['tool_choice']): ModelRequestFields['toolChoice'] {
  if (choice === undefined || choice === 'none') return undefined;
  return typeof choice === 'string' ? choice : { name: choice.function.name };
}

function jsonOf(format: CompletionBody['response_format']): ModelRequestFields['json'] {
  if (format === undefined || format.type === 'text') return undefined;
  if (format.type === 'json_object') return {};
  const { name, description, schema, strict } = format.json_schema;
  return { name, description, schema: schema ?? { type: 'object' }, isStrict: strict ?? false };
}
