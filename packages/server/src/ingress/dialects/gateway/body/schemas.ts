import {
  bodyLimits,
  type Carry,
  type JsonObject,
  type JsonValue,
  type Operation,
} from '@model-gateway/contract';
import Type, { type TSchema } from 'typebox';

/** The bodies that the API takes. Unknown fields are refused at every level. */
export const strict = { additionalProperties: false } as const;

/** No control character: two of them may be two keys in one place and one in another. */
export const printable = {
  pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$',
  rule: 'text without control characters',
} as const;
/** A URL drops `.` and `..`, so their wallets could not be asked for. */
const userIdPattern = '^(?!\\.{1,2}$)[^/\\u0000-\\u001f\\u007f-\\u009f]*$';

const userIdRule = `1–${bodyLimits.userIdCharactersMax} characters without "/" and control characters, and neither "." nor ".."`;

const systemMessage = Type.Object({ role: Type.Literal('system'), content: Type.String() }, strict);

/** A piece of a user's message. */
export const part = Type.Union([
  Type.Object({ type: Type.Literal('text'), text: Type.String() }, strict),
  Type.Object(
    {
      type: Type.Literal('image'),
      mediaType: Type.String({
        pattern: '^image/[a-z0-9.+-]{1,64}$',
        rule: 'the type of an image, such as image/png',
      }),
      data: Type.String({ pattern: '^[A-Za-z0-9+/]+={0,2}$', rule: 'base64' }),
    },
    strict,
  ),
]);

const userMessage = Type.Object(
  {
    role: Type.Literal('user'),
    content: Type.Union([
      Type.String(),
      Type.Array(part, { minItems: 1, maxItems: bodyLimits.partsMax }),
    ]),
  },
  strict,
);

/** A tool that the model asked for. */
export const toolCall = Type.Object(
  {
    id: Type.String({ minLength: 1 }),
    name: Type.String({ minLength: 1 }),
    input: Type.Unsafe<JsonValue>(Type.Unknown()),
  },
  strict,
);

const ofCarry = `The \`carry\` of the answer with this message, unchanged; at most ${bodyLimits.carryBytesMax} bytes of JSON`;

/** What the model said. A message that says nothing is one that no platform takes. */
export const assistantMessage = Type.Object(
  {
    role: Type.Literal('assistant'),
    content: Type.Optional(Type.String()),
    toolCalls: Type.Optional(
      Type.Array(toolCall, {
        maxItems: bodyLimits.toolCallsMax,
        description: 'Their ids differ from each other',
      }),
    ),
    carry: Type.Optional(Type.Unsafe<Carry>({ type: 'object', description: ofCarry })),
  },
  {
    ...strict,
    description: 'A text, which may be empty, or at least one tool call, or both',
    anyOf: [
      { required: ['content'] },
      { required: ['toolCalls'], properties: { toolCalls: { minItems: 1 } } },
    ],
  },
);

const toolMessage = Type.Object(
  {
    role: Type.Literal('tool'),
    toolCallId: Type.String({ minLength: 1 }),
    content: Type.String(),
  },
  strict,
);

/** One message of a conversation. */
export const message = Type.Union([systemMessage, userMessage, assistantMessage, toolMessage]);

/** What no schema can say of them; `conversation.ts` checks it. */
const conversation =
  'A conversation. Every tool call of an assistant message is answered by one tool message with its id, before any other message and before the end, and a tool message answers nothing else. Images are for models whose `images` is true';

/** Fields of all three operations. Source: contract, section 3. */
export const callFields = {
  model: Type.String({
    minLength: 1,
    maxLength: bodyLimits.modelCharactersMax,
    ...printable,
  }),
  messages: Type.Array(message, {
    minItems: 1,
    maxItems: bodyLimits.messagesMax,
    description: conversation,
  }),
  maxTokens: Type.Integer({ minimum: 1, maximum: bodyLimits.maxTokensMax }),
  userId: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: bodyLimits.userIdCharactersMax,
      pattern: userIdPattern,
      rule: userIdRule,
      description: `the user whose wallet pays: ${userIdRule}`,
    }),
  ),
  temperature: Type.Optional(Type.Number({ minimum: 0, maximum: 2 })),
  topP: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
  stop: Type.Optional(
    Type.Array(Type.String({ minLength: 1 }), { maxItems: bodyLimits.stopSequencesMax }),
  ),
} as const;

/** The body of `POST /v1/chat`. */
export const chatBody = Type.Object(callFields, strict);

/** A text to embed; platforms refuse one that says nothing. */
const embeddedText = Type.String({ minLength: 1 });

/** The body of `POST /v1/embeddings`. */
export const embeddingsBody = Type.Object(
  {
    model: callFields.model,
    input: Type.Union([
      embeddedText,
      Type.Array(embeddedText, { minItems: 1, maxItems: bodyLimits.embeddingTextsMax }),
    ]),
    dimensions: Type.Optional(
      Type.Integer({ minimum: 1, maximum: bodyLimits.embeddingDimensionsMax }),
    ),
    userId: callFields.userId,
  },
  strict,
);

/** Names that every platform takes. */
export const toolNameForm = {
  pattern: '^[A-Za-z0-9_-]*$',
  rule: 'letters of ASCII, digits, "_" and "-"',
} as const;

const name = Type.String({ minLength: 1, maxLength: 64, ...toolNameForm });

/** Of a JSON Schema the form alone: what it says is looked at apart. */
const ofSchema =
  'A JSON Schema: draft-07, or 2020-12 when its `$schema` says so, with references within itself alone';
const jsonSchema = Type.Unsafe<JsonObject>({ type: 'object', description: ofSchema });
const objectSchema = Type.Unsafe<JsonObject>(
  Type.Object(
    { type: Type.Literal('object') },
    { additionalProperties: true, description: ofSchema },
  ),
);

/** The body of `POST /v1/objects`. */
export const objectBody = Type.Object(
  {
    ...callFields,
    schema: objectSchema,
    schemaName: Type.Optional(name),
    schemaDescription: Type.Optional(Type.String()),
  },
  strict,
);

/** A tool that the model may ask for. */
export const tool = Type.Object(
  { name, description: Type.Optional(Type.String()), inputSchema: jsonSchema },
  strict,
);

/** The body of `POST /v1/agents/run`. */
export const agentBody = Type.Object(
  {
    ...callFields,
    tools: Type.Array(tool, {
      minItems: 1,
      maxItems: bodyLimits.toolsMax,
      description: 'Their names differ from each other',
    }),
    toolChoice: Type.Optional(
      Type.Union([
        Type.Literal('auto'),
        Type.Literal('required'),
        Type.Object({ name }, { ...strict, description: 'One of the tools' }),
      ]),
    ),
  },
  strict,
);

/** Other models that a quote tells of at once. */
const quotedModelsMax = 16;

const quoteOf = <Name extends Operation, Request extends TSchema>(
  operation: Name,
  request: Request,
) =>
  Type.Object(
    {
      operation: Type.Literal(operation),
      request,
      models: Type.Optional(Type.Array(callFields.model, { maxItems: quotedModelsMax })),
    },
    strict,
  );

/** A request that is read for itself, by the route that it would be sent to. */
const unread = Type.Unsafe<object>({ type: 'object' });

/** The body of `POST /v1/quote`, but for the request in it. */
export const quoteBody = Type.Union([
  quoteOf('chat', unread),
  quoteOf('objects', unread),
  quoteOf('agents', unread),
  quoteOf('embeddings', unread),
]);

const quotes = [
  quoteOf('chat', chatBody),
  quoteOf('objects', objectBody),
  quoteOf('agents', agentBody),
] as const;

/** The whole body of `POST /v1/quote`, for its description. */
export const quoteRequest = Type.Union([...quotes, quoteOf('embeddings', embeddingsBody)]);

/** The same of a service without a model that gives embeddings. */
export const quoteRequestWithoutEmbeddings = Type.Union([...quotes]);
