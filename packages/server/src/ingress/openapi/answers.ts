import type { Carry, JsonObject } from '@model-gateway/contract';
import Type, { type TSchema } from 'typebox';
import { assistantMessage, toolCall } from '../dialects/gateway/body/schemas.ts';
import type { Offered } from '../exchange/offered.ts';
import { count, usd } from './account-answers.ts';

export const usage = Type.Object(
  {
    inputTokens: count,
    cachedInputTokens: count,
    cacheWriteInputTokens: count,
    outputTokens: count,
    reasoningTokens: count,
  },
  { description: 'Tokens. Input includes both cached kinds, output includes reasoning' },
);

export const cost = Type.Object({
  usd: Type.Union([usd, Type.Null()], { description: 'null only for a model without a price' }),
  estimated: Type.Boolean({
    description: 'True when the platform did not say what it counted: the most was booked',
  }),
});

const head = {
  id: Type.String({ description: "This gateway's id of the call" }),
  model: Type.String({ description: "The model's id as it was sent" }),
  requestId: Type.Union([Type.String(), Type.Null()], {
    description: "The platform's id of the request; null when it gave none",
  }),
} as const;

export const chatAnswer = Type.Object({
  ...head,
  text: Type.String(),
  finishReason: Type.Union([
    Type.Literal('stop'),
    Type.Literal('stop-sequence'),
    Type.Literal('content-filter'),
    Type.Literal('other'),
  ]),
  carry: Type.Optional(
    Type.Unsafe<Carry>({
      type: 'object',
      description: 'For the message of the assistant with this text: absent where it has nothing',
    }),
  ),
  usage,
  cost,
});

export const objectAnswer = Type.Object({
  ...head,
  object: Type.Unsafe<JsonObject>({
    type: 'object',
    description: 'Fits the schema of the request',
  }),
  usage,
  cost,
});

export const agentAnswer = Type.Object({
  ...head,
  done: Type.Boolean({ description: 'True when the model asked for no tool' }),
  text: Type.Optional(Type.String()),
  toolCalls: Type.Array(toolCall),
  message: assistantMessage,
  usage,
  cost,
});

export const embeddingsAnswer = Type.Object({
  ...head,
  embeddings: Type.Array(Type.Array(Type.Number()), {
    description: 'One for each text, in the order of the request; all of one length',
  }),
  usage,
  cost,
});

const rates = {
  inputUsdPerMillion: usd,
  cachedInputUsdPerMillion: usd,
  cacheWriteInputUsdPerMillion: usd,
  outputUsdPerMillion: usd,
  // Of parts that have their own price.
  imageInputUsdPerMillion: Type.Optional(usd),
  audioInputUsdPerMillion: Type.Optional(usd),
  reasoningUsdPerMillion: Type.Optional(usd),
  imageOutputUsdPerMillion: Type.Optional(usd),
  audioOutputUsdPerMillion: Type.Optional(usd),
} as const;

/** USD per million tokens. */
export const price = Type.Object({
  ...rates,
  longContext: Type.Optional(
    Type.Object(
      { fromInputTokens: Type.Integer({ minimum: 1 }), ...rates },
      { description: 'The first step: the rates of the whole call from so many tokens on' },
    ),
  ),
  steps: Type.Optional(
    Type.Array(Type.Object({ aboveInputTokens: Type.Integer({ minimum: 1 }), ...rates }), {
      description: 'The rates of the whole call where its input has more tokens',
    }),
  ),
  perRequestUsd: Type.Optional(
    Type.String({ ...usd, description: 'Of each billed request, in USD' }),
  ),
  toolUses: Type.Optional(
    Type.Record(Type.String(), Type.Object({ usdPerThousand: usd }), {
      description: 'Of uses of tools that the platform runs, by tool',
    }),
  ),
});

const conversations = [
  Type.Literal('chat'),
  Type.Literal('objects'),
  Type.Literal('agents'),
] as const;

const entry = {
  id: Type.String(),
  priced: Type.Boolean(),
  price: Type.Union([price, Type.Null()]),
  contextTokens: Type.Optional(count),
  maxOutputTokens: Type.Optional(count),
} as const;

const streaming = {
  streaming: Type.Optional(
    Type.Boolean({
      description: 'Whether the routes under `/stream` take it; missing where they take none',
    }),
  ),
} as const;

export const modelEntry = Type.Object({
  ...entry,
  operations: Type.Array(Type.Union([...conversations, Type.Literal('embeddings')])),
  images: Type.Boolean(),
  ...streaming,
});

export function modelEntryOf({ isStreaming, hasEmbeddings }: Omit<Offered, 'hasAliases'>): TSchema {
  const operations = hasEmbeddings
    ? modelEntry.properties.operations
    : Type.Array(Type.Union([...conversations]));
  const { images } = modelEntry.properties;
  return Type.Object({ ...entry, operations, images, ...(isStreaming ? streaming : {}) });
}

export const modelsAnswer = Type.Object({ models: Type.Array(modelEntry) });

export const streamStart = Type.Object(head);

export const streamText = Type.Object({ text: Type.String() });

export const streamError = Type.Object({
  error: Type.Object({
    code: Type.String({ description: 'As in the body of an error' }),
    message: Type.String({ minLength: 1, description: 'For people; it may change' }),
    requestId: Type.Optional(Type.String()),
    model: Type.Optional(Type.String()),
  }),
  usage: Type.Union([usage, Type.Null()]),
  cost: Type.Union([cost, Type.Null()], {
    description: 'What is booked for the call, durably; null where nothing is, or not yet',
  }),
  partial: Type.Literal(true),
});

export const rootAnswer = Type.Object({
  name: Type.Literal('model-gateway'),
  version: Type.String(),
});

export const healthAnswer = Type.Object({
  status: Type.Union([Type.Literal('ok'), Type.Literal('draining')]),
});
