import type { ObjectRequest } from '@model-gateway/contract';
import type { CatalogModel } from '../../catalog/catalog.ts';
import type { CompiledSchema } from '../../json-schema/schemas.ts';
import { writeJson } from '../../lib/json-value.ts';
import type { Delta } from '../../platforms/model/content.ts';
import type { ModelRequest } from '../../platforms/model/model-request.ts';
import type {
  AnswerError,
  AnsweredAttempt,
  ModelOperation,
  OutputPiece,
  ParsedAnswer,
} from '../model/operation.ts';
import { readAnswerJson } from './answer-json.ts';
import { badOutput, noToolOffered, unfitting } from './bad-output.ts';
import { textOf, textPiece, textPieceOf, truncated } from './chat.ts';
import { conversationOf, promptBytesOf } from './conversation.ts';

/** `POST /v1/objects`. Create one per call. */
export function createObject(schema: CompiledSchema): ModelOperation<ObjectRequest> {
  return {
    name: 'objects',
    encode: (request, model) => encode(request, model, schema.isStrict),
    read: (answered, request, model) => read(answered, request, { model, schema }),
    pieceOf,
    schemaText: ({ schema: document }) => writeJson(document),
    promptBytes: promptBytesOf,
  };
}

const defaultName = 'answer';

function encode(
  request: ObjectRequest,
  { structuredOutput }: CatalogModel,
  isStrict: boolean,
): Omit<ModelRequest, 'maxTokens'> {
  const { schema, schemaName: name = defaultName, schemaDescription: description } = request;
  const described = description === undefined ? { name } : { name, description };
  const conversation = conversationOf(request);
  switch (structuredOutput) {
    case 'json-schema':
      // A platform with strict schemas rejects every schema outside its subset.
      return { ...conversation, json: { schema, ...described, isStrict } };
    case 'json-object':
      return { ...conversation, json: {}, messages: instructedMessages(request) };
    case 'tool':
      return {
        ...conversation,
        tools: [{ inputSchema: schema, ...described }],
        toolChoice: { name },
      };
  }
}

/** For models without schema support: a last system message before the conversation. */
function instructedMessages({ messages, schema, schemaDescription }: ObjectRequest) {
  const about = schemaDescription === undefined ? '' : ` It is: ${schemaDescription}`;
  const content = `Answer with one JSON object and nothing else: no explanation, no code fence.${about}\nThe object must fit this JSON Schema:\n${writeJson(schema)}`;
  const start = messages.findIndex(({ role }) => role !== 'system');
  const index = start === -1 ? messages.length : start;
  return messages.toSpliced(index, 0, { role: 'system', content });
}

async function read(
  answered: AnsweredAttempt,
  request: ObjectRequest,
  { model, schema }: { readonly model: CatalogModel; readonly schema: CompiledSchema },
): Promise<ParsedAnswer> {
  if (answered.finish === 'length') return truncated(request, model);
  const jsonText = jsonTextOf(answered, request, model);
  if (typeof jsonText !== 'string') return jsonText;
  const json = readAnswerJson(jsonText);
  if (json === undefined) return badOutput(request.model, 'did not return valid JSON');
  const size = { values: json.values, characters: json.text.length };
  const wrong = unfitting(request.model, await schema.check(json, size), 'schema');
  return wrong ?? { kind: 'ok', output: { kind: 'object', object: json.value } };
}

function jsonTextOf(
  answered: AnsweredAttempt,
  { model: id, schemaName = defaultName }: ObjectRequest,
  { structuredOutput }: CatalogModel,
): string | AnswerError {
  const calls = answered.content.filter((part) => part.type === 'tool-call');
  if (structuredOutput !== 'tool') {
    if (calls.length === 0) return textOf(answered);
    return noToolOffered(id);
  }
  const [call] = calls;
  if (call === undefined) return badOutput(id, 'did not call the tool that returns the object');
  if (calls.length > 1) return badOutput(id, 'returned more than one object');
  if (call.toolName === schemaName) return call.input;
  return badOutput(id, 'called a tool other than the one that returns the object');
}

/** The tool's input if the model is called with a tool. */
function pieceOf(delta: Delta, { structuredOutput }: CatalogModel): OutputPiece | undefined {
  if (structuredOutput !== 'tool') return textPieceOf(delta);
  return delta.type === 'tool-input' ? textPiece(delta.text) : undefined;
}
