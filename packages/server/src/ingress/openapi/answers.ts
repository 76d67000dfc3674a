import type { Carry, JsonObject } from '@model-gateway/contract';
import Type, { type TSchema } from 'typebox';
import { assistantMessage, toolCall } from '../dialects/gateway/body/schemas.ts';
import type { ApiFeatures } from '../exchange/offered.ts';
import { count, usd } from './account-answers.ts';

export const usage = Type.Object(
  {
    inputTokens: count,
    cachedInputTokens: count,
    cacheWriteInputTokens: count,
    outputTokens: count,
    reasoningTokens: count,
  },
  {
    description:
      'Tokens. Input includes cached and cache-write tokens; output includes reasoning tokens',
  },
);

export const cost = Type.Object({
  usd: Type.Union([usd, Type.Null()], { description: 'Null only for a model without a price' }),
  estimated: Type.Boolean({
    description: 'True if the platform reported no token counts; the maximum cost was booked',
  }),
});

const head = {
  id: Type.String({ description: 'Call id of the gateway' }),
  model: Type.String({ description: 'Model id that the caller sent' }),
  requestId: Type.Union([Type.String(), Type.Null()], {
    description: 'Request id of the platform; null if it sent none',
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
      description: 'To send with the assistant message of this text; absent if it is empty',
    }),
  ),
  usage,
  cost,
});

export const objectAnswer = Type.Object({
  ...head,
  object: Type.Unsafe<JsonObject>({
    type: 'object',
    description: 'Matches the schema of the request',
  }),
  usage,
  cost,
});

export const agentAnswer = Type.Object({
  ...head,
  done: Type.Boolean({ description: 'True if the model called no tool' }),
  text: Type.Optional(Type.String()),
  toolCalls: Type.Array(toolCall),
  message: assistantMessage,
  usage,
  cost,
});

export const embeddingsAnswer = Type.Object({
  ...head,
  embeddings: Type.Array(Type.Array(Type.Number()), {
    description: 'One per text, in the order of the request; all have the same length',
  }),
  usage,
  cost,
});

const rates = {
  inputUsdPerMillion: usd,
  cachedInputUsdPerMillion: usd,
  cacheWriteInputUsdPerMillion: usd,
  outputUsdPerMillion: usd,
  // Rates for parts with their own price.
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
      { description: 'First price step: rates of the whole call from this number of input tokens' },
    ),
  ),
  steps: Type.Optional(
    Type.Array(Type.Object({ aboveInputTokens: Type.Integer({ minimum: 1 }), ...rates }), {
      description: 'Rates of the whole call with more input tokens',
    }),
  ),
  perRequestUsd: Type.Optional(Type.String({ ...usd, description: 'USD per billed request' })),
  toolUses: Type.Optional(
    Type.Record(Type.String(), Type.Object({ usdPerThousand: usd }), {
      description: 'Prices of tools that run on the platform, by tool',
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
      description:
        'True if the routes under `/stream` accept the model; absent if streaming is off',
    }),
  ),
} as const;

export const modelEntry = Type.Object({
  ...entry,
  operations: Type.Array(Type.Union([...conversations, Type.Literal('embeddings')])),
  images: Type.Boolean(),
  ...streaming,
});

export function modelEntryOf({
  isStreaming,
  hasEmbeddings,
}: Omit<ApiFeatures, 'hasAliases'>): TSchema {
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
    code: Type.String({ description: 'Same as in the body of an error' }),
    message: Type.String({ minLength: 1, description: 'For people; may change' }),
    requestId: Type.Optional(Type.String()),
    model: Type.Optional(Type.String()),
  }),
  usage: Type.Union([usage, Type.Null()]),
  cost: Type.Union([cost, Type.Null()], {
    description: 'Durably booked cost of the call; null if none, or not yet',
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
