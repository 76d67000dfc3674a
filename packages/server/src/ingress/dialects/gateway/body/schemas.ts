import {
  bodyLimits,
  type Carry,
  type JsonObject,
  type JsonValue,
  type Operation,
} from '@model-gateway/contract';
import Type, { type TSchema } from 'typebox';

export const strict = { additionalProperties: false } as const;

/**
 * Without control characters: keys that contain them may collide in one system and differ in
 * another.
 */
export const printable = {
  pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$',
  rule: 'text without control characters',
} as const;
/** URL parsers drop `.` and `..`, so the wallets of such users could not be requested. */
const userIdPattern = '^(?!\\.{1,2}$)[^/\\u0000-\\u001f\\u007f-\\u009f]*$';

const userIdRule = `1–${bodyLimits.userIdCharactersMax} characters without "/" and control characters, and neither "." nor ".."`;

const systemMessage = Type.Object({ role: Type.Literal('system'), content: Type.String() }, strict);

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

export const toolCall = Type.Object(
  {
    id: Type.String({ minLength: 1 }),
    name: Type.String({ minLength: 1 }),
    input: Type.Unsafe<JsonValue>(Type.Unknown()),
  },
  strict,
);

const ofCarry = `The unchanged \`carry\` of the response with this message; at most ${bodyLimits.carryBytesMax} bytes of JSON`;

/** Platforms reject empty messages. */
export const assistantMessage = Type.Object(
  {
    role: Type.Literal('assistant'),
    content: Type.Optional(Type.String()),
    toolCalls: Type.Optional(
      Type.Array(toolCall, {
        maxItems: bodyLimits.toolCallsMax,
        description: 'Ids must be unique',
      }),
    ),
    carry: Type.Optional(Type.Unsafe<Carry>({ type: 'object', description: ofCarry })),
  },
  {
    ...strict,
    description: 'Text (possibly empty), at least one tool call, or both',
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

export const message = Type.Union([systemMessage, userMessage, assistantMessage, toolMessage]);

const conversation =
  'A conversation. After an assistant message with tool calls, send one tool message with the id of each call before any other message. Images require a model whose `images` is true';

/** Fields of three operations. Contract, section 3. */
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

export const chatBody = Type.Object(callFields, strict);

const embeddedText = Type.String({ minLength: 1 });

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

export const toolNameForm = {
  pattern: '^[A-Za-z0-9_-]*$',
  rule: 'a word of ASCII letters, digits, "_" and "-"',
} as const;

const name = Type.String({ minLength: 1, maxLength: 64, ...toolNameForm });

const ofSchema =
  'A JSON Schema: draft-07, or 2020-12 if `$schema` names it. References must point inside the schema';
const jsonSchema = Type.Unsafe<JsonObject>({ type: 'object', description: ofSchema });
const objectSchema = Type.Unsafe<JsonObject>(
  Type.Object(
    { type: Type.Literal('object') },
    { additionalProperties: true, description: ofSchema },
  ),
);

export const objectBody = Type.Object(
  {
    ...callFields,
    schema: objectSchema,
    schemaName: Type.Optional(name),
    schemaDescription: Type.Optional(Type.String()),
  },
  strict,
);

export const tool = Type.Object(
  { name, description: Type.Optional(Type.String()), inputSchema: jsonSchema },
  strict,
);

export const agentBody = Type.Object(
  {
    ...callFields,
    tools: Type.Array(tool, {
      minItems: 1,
      maxItems: bodyLimits.toolsMax,
      description: 'Names must be unique',
    }),
    toolChoice: Type.Optional(
      Type.Union([
        Type.Literal('auto'),
        Type.Literal('required'),
        Type.Object({ name }, { ...strict, description: 'Name of one of the tools' }),
      ]),
    ),
  },
  strict,
);

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

const unread = Type.Unsafe<object>({ type: 'object' });

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

export const quoteRequest = Type.Union([...quotes, quoteOf('embeddings', embeddingsBody)]);

export const quoteRequestWithoutEmbeddings = Type.Union([...quotes]);
