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
  // biome-ignore lint/correctness/noUndeclaredDependencies: the build inlines these types.
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
export { type CallMeta, metaOf } from './call/call-meta.ts';
export type { GatewayCode } from './call/failure.ts';
export {
  type ClientCode,
  LlmError,
  type LlmErrorCode,
  type LlmErrorDetails,
  ToolError,
} from './call/llm-error.ts';
export type { ObjectCallRequest } from './call/object.ts';
export type {
  AttemptEvent,
  CallOptions,
  ClientOptions,
  ReadOptions,
  RetryEvent,
} from './call/options.ts';
export type { AgentTurnRequest, OfferedTool } from './call/requests.ts';
export type { RunMethods } from './call/runs.ts';
export type { Client } from './client/client.ts';
export type { EmbedMethods } from './client/embed.ts';
export type { QuoteCallRequest, QuoteMethods } from './client/quote.ts';
export { createClient } from './create-client.ts';
export type { JsonSchema, SchemaOutput, StandardSchema } from './lib/schema.ts';
export { addUsd } from './lib/usd.ts';
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
