export type {
  AgentAnswer,
  AgentRequest,
  ApiErrorCode,
  AssistantMessage,
  Budget,
  ChatAnswer,
  ChatRequest,
  Cost,
  CreditsAnswer,
  EmbeddingsAnswer,
  EmbeddingsRequest,
  FinishReason,
  JsonObject,
  JsonValue,
  Message,
  ModelEntry,
  ModelsAnswer,
  NewRunAnswer,
  ObjectAnswer,
  ObjectRequest,
  Operation,
  Part,
  PriceUsd,
  QuoteAnswer,
  QuotedModel,
  RunAnswer,
  RunRequest,
  RunState,
  ScopeBudget,
  Tool,
  ToolCall,
  ToolChoice,
  Usage,
  UsageAnswer,
  UsageTotals,
  // biome-ignore lint/correctness/noUndeclaredDependencies: types alone.
} from '@model-gateway/contract';
export type { AgentRun } from './agent/agent-run.ts';
export type {
  AgentResult,
  AgentRunOptions,
  AgentRunRequest,
  AgentRunState,
  AgentStep,
  StopReason,
  ToolResult,
} from './agent/run-types.ts';
export { type AgentTool, type ToolContext, type ToolDefinition, tool } from './agent/tool.ts';
export { type CallMeta, metaOf } from './call-meta.ts';
export type { Client } from './client.ts';
export { createClient } from './create-client.ts';
export type { EmbedMethods } from './embed.ts';
export type { GatewayCode } from './failure.ts';
export {
  type ClientCode,
  LlmError,
  type LlmErrorCode,
  type LlmErrorDetails,
  ToolError,
} from './llm-error.ts';
export type { ObjectCallRequest } from './object.ts';
export type {
  AttemptEvent,
  CallOptions,
  ClientOptions,
  ReadOptions,
  RetryEvent,
} from './options.ts';
export type { QuoteCallRequest, QuoteMethods } from './quote.ts';
export type { AgentTurnRequest, OfferedTool } from './requests.ts';
export type { RunMethods } from './runs.ts';
export type { JsonSchema, SchemaOutput, StandardSchema } from './schema.ts';
export type {
  AgentStream,
  ChatStream,
  ObjectStream,
  StreamMethods,
} from './stream/client-streams.ts';
export type {
  AgentStreamEvent,
  AnswerStream,
  ChatStreamEvent,
  FinishEvent,
  JsonEvent,
  ObjectStreamEvent,
  StartEvent,
  StreamEvent,
  TextEvent,
  ToolCallEvent,
} from './stream/stream-types.ts';
export { addUsd } from './usd.ts';
