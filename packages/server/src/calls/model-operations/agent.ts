import { type AgentRequest, bodyLimits } from '@model-gateway/contract';
import type { CatalogModel } from '../../catalog/catalog.ts';
import type { AnswerSize, CompiledSchema } from '../../json-schema/schemas.ts';
import { writeJson } from '../../lib/json-value.ts';
import type { ModelContent } from '../../platforms/model/content.ts';
import type {
  AnswerError,
  AnsweredAttempt,
  ModelOperation,
  ParsedAnswer,
} from '../model/operation.ts';
import { type AnswerJson, readAnswerJson } from './answer-json.ts';
import { badOutput, unfitting } from './bad-output.ts';
import { carryOf } from './carry.ts';
import { textOf, textPieceOf, truncated } from './chat.ts';
import { conversationOf, promptBytesOf } from './conversation.ts';

/** `POST /v1/agents/run`: one turn. Create one per call. */
export function createAgentTurn(
  schemas: ReadonlyMap<string, CompiledSchema>,
): ModelOperation<AgentRequest> {
  return {
    name: 'agents',
    encode: encodeTurn,
    read: (answered, request, model) => read(answered, request, { model, schemas }),
    pieceOf: textPieceOf,
    schemaText: ({ tools }) => writeJson(tools),
    promptBytes: promptBytesOf,
  };
}

function encodeTurn(request: AgentRequest) {
  const { tools, toolChoice } = request;
  return { ...conversationOf(request), tools, toolChoice };
}

/** Nesting in a request that returns it: body, messages, message, calls, call. */
const levelOfInput = 5;

interface ReadCall {
  readonly id: string;
  readonly name: string;
  readonly json: AnswerJson;
}

async function read(
  answered: AnsweredAttempt,
  request: AgentRequest,
  { model, schemas }: { model: CatalogModel; schemas: ReadonlyMap<string, CompiledSchema> },
): Promise<ParsedAnswer> {
  if (answered.finish === 'length') return truncated(request, model);
  const requestedCalls = answered.content.filter((part) => part.type === 'tool-call');
  const wrong = wrongCalls(requestedCalls, request);
  if (wrong !== undefined) return wrong;
  const calls: ReadCall[] = [];
  for (const { toolCallId: id, toolName: name, input } of requestedCalls) {
    // Some platforms send a call without arguments as an empty text.
    const json = readAnswerJson(input === '' ? '{}' : input, levelOfInput);
    if (json === undefined) return badOutput(request.model, `called ${name} without valid JSON`);
    calls.push({ id, name, json });
  }
  const size = sizeOf(calls);
  for (const { name, json } of calls) {
    const fit = await schemas.get(name)?.check(json, size);
    const index = request.tools.findIndex((tool) => tool.name === name);
    const path = `tools[${index}].inputSchema`;
    const unfit = unfitting(request.model, fit ?? { kind: 'misfit', at: '' }, path);
    if (unfit !== undefined) return unfit;
  }
  return turnOf(textOf(answered).toWellFormed(), calls, carryOf(answered.carried, model));
}

type ModelToolCall = Extract<ModelContent, { type: 'tool-call' }>;

function wrongCalls(
  calls: readonly ModelToolCall[],
  { model, tools, toolChoice }: AgentRequest,
): AnswerError | undefined {
  if (calls.length > bodyLimits.toolCallsMax) {
    return badOutput(model, `made more than ${bodyLimits.toolCallsMax} tool calls at once`);
  }
  const offered = new Set(tools.map(({ name }) => name));
  if (!calls.every(({ toolName }) => offered.has(toolName))) {
    return badOutput(model, 'called a tool that was not offered');
  }
  const ids = new Set(calls.map(({ toolCallId }) => toolCallId));
  if (ids.size < calls.length) return badOutput(model, 'returned two tool calls with the same id');
  for (const id of ids) {
    if (id === '' || !id.isWellFormed())
      return badOutput(model, 'returned a tool call without a usable id');
  }
  if (toolChoice === undefined || toolChoice === 'auto') return undefined;
  if (calls.length === 0)
    return badOutput(model, 'called no tool although toolChoice requires one');
  if (toolChoice === 'required') return undefined;
  if (calls.every(({ toolName }) => toolName === toolChoice.name)) return undefined;
  return badOutput(model, 'called a tool other than the one in toolChoice');
}

function sizeOf(calls: readonly ReadCall[]): AnswerSize {
  let values = 0;
  let characters = 0;
  for (const { json } of calls) {
    values += json.values;
    characters += json.text.length;
  }
  return { values, characters };
}

function turnOf(
  text: string,
  calls: readonly ReadCall[],
  carry: ReturnType<typeof carryOf>,
): ParsedAnswer {
  const toolCalls = calls.map(({ id, name, json }) => ({ id, name, input: json.value }));
  // A later request must accept this message, which needs some content, even an empty text.
  const hasText = text !== '' || toolCalls.length === 0;
  const content = { text: hasText ? text : undefined, toolCalls, ...carry };
  return { kind: 'ok', output: { kind: 'turn', ...content } };
}
