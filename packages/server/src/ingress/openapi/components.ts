import type { JsonObject, JsonValue } from '@model-gateway/contract';
import Type, { type TSchema } from 'typebox';
import { schemaJson } from '../../lib/schema-json.ts';
import { runBody } from '../dialects/gateway/body/run-body.ts';
import {
  agentBody,
  assistantMessage,
  chatBody,
  embeddingsBody,
  message,
  objectBody,
  part,
  quoteRequest,
  quoteRequestWithoutEmbeddings,
  tool,
  toolCall,
} from '../dialects/gateway/body/schemas.ts';
import type { SchemaName, StreamSchemaName } from '../dialects/gateway/route-rows.ts';
import type { ApiFeatures } from '../exchange/offered.ts';
import {
  budget,
  creditsAnswer,
  newRunAnswer,
  quoteAnswer,
  runAnswer,
  usageAnswer,
  usageTotals,
} from './account-answers.ts';
import {
  agentAnswer,
  chatAnswer,
  cost,
  embeddingsAnswer,
  healthAnswer,
  modelEntry,
  modelEntryOf,
  modelsAnswer,
  objectAnswer,
  price,
  rootAnswer,
  streamError,
  streamStart,
  streamText,
  usage,
} from './answers.ts';

/** Requests use the real validators. */
export const namedSchemas = {
  ChatRequest: chatBody,
  ObjectRequest: objectBody,
  AgentRequest: agentBody,
  EmbeddingsRequest: embeddingsBody,
  QuoteRequest: quoteRequest,
  RunRequest: runBody,
  Message: message,
  Part: part,
  AssistantMessage: assistantMessage,
  ToolCall: toolCall,
  Tool: tool,
  ChatAnswer: chatAnswer,
  ObjectAnswer: objectAnswer,
  AgentAnswer: agentAnswer,
  EmbeddingsAnswer: embeddingsAnswer,
  Usage: usage,
  Cost: cost,
  UsageAnswer: usageAnswer,
  UsageTotals: usageTotals,
  Budget: budget,
  ModelsAnswer: modelsAnswer,
  ModelEntry: modelEntry,
  Price: price,
  CreditsAnswer: creditsAnswer,
  QuoteAnswer: quoteAnswer,
  NewRunAnswer: newRunAnswer,
  RunAnswer: runAnswer,
  RootAnswer: rootAnswer,
  HealthAnswer: healthAnswer,
} as const satisfies Record<Exclude<SchemaName, StreamSchemaName>, TSchema>;

const streamingSchemas = {
  StreamStart: streamStart,
  StreamText: streamText,
  StreamError: streamError,
} as const satisfies Record<StreamSchemaName, TSchema>;

export function referenceTo(name: SchemaName): JsonObject {
  return { $ref: `#/components/schemas/${name}` };
}

export function schemaComponents(offered: ApiFeatures): Readonly<Record<string, JsonValue>> {
  const ModelEntry = modelEntryOf(offered);
  const named: Record<string, TSchema> = {
    ...namedSchemas,
    ...(offered.hasEmbeddings ? {} : { QuoteRequest: quoteRequestWithoutEmbeddings }),
    ModelsAnswer: Type.Object({ models: Type.Array(ModelEntry) }),
    ModelEntry,
    ...(offered.isStreaming ? streamingSchemas : {}),
  };
  const schemas = Object.entries(named)
    .filter(([name]) => offered.hasEmbeddings || !name.startsWith('Embeddings'))
    .map(([name, schema]) => [name, schemaJson(schema)] as const);
  const names = new Map(schemas.map(([name, schema]) => [JSON.stringify(schema), name]));
  return Object.fromEntries(
    schemas.map(([name, schema]) => [name, partsReferenced(schema, names)] as const),
  );
}

function partsReferenced(schema: JsonValue, names: ReadonlyMap<string, string>): JsonValue {
  if (Array.isArray(schema)) return schema.map((entry: JsonValue) => referenced(entry, names));
  if (typeof schema !== 'object' || schema === null) return schema;
  const entries = Object.entries(schema).map(([key, value]) => [key, referenced(value, names)]);
  return Object.fromEntries(entries);
}

function referenced(schema: JsonValue, names: ReadonlyMap<string, string>): JsonValue {
  const name = names.get(JSON.stringify(schema));
  return name === undefined
    ? partsReferenced(schema, names)
    : { $ref: `#/components/schemas/${name}` };
}
