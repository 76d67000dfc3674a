import type { AssistantMessage, Carry, JsonObject, Message, ToolCall } from './messages.ts';

/**
 * Fields of every request for a model. Optional fields may also be `undefined`, which JSON leaves
 * out: strict callers forward their own optional values.
 */
export interface CallFields {
  /** The catalog's id of the model, 1–128 characters. */
  readonly model: string;
  /**
   * The user whose wallet pays; required when the app meters credits. 1–128 characters, no `/`, and
   * neither `.` nor `..`; compared byte for byte.
   */
  readonly userId?: string | undefined;
}

/** Fields of every operation that continues a conversation. */
export interface CallRequest extends CallFields {
  /** At least one message. */
  readonly messages: readonly Message[];
  /** The most tokens that the model may write, 1–1,000,000. */
  readonly maxTokens: number;
  /** 0–2. */
  readonly temperature?: number | undefined;
  /** 0–1. */
  readonly topP?: number | undefined;
  /** At most 8 sequences that stop the model. */
  readonly stop?: readonly string[] | undefined;
}

/**
 * Tokens of the successful attempt. Input includes both cached kinds, output includes reasoning.
 */
export interface Usage {
  /** All input tokens, both cached kinds included. */
  readonly inputTokens: number;
  /** The part of the input that the platform's cache supplied. */
  readonly cachedInputTokens: number;
  /** The part of the input that was written to the platform's cache. */
  readonly cacheWriteInputTokens: number;
  /** All output tokens, reasoning included. */
  readonly outputTokens: number;
  /** The part of the output that is reasoning. */
  readonly reasoningTokens: number;
}

/** The cost of the successful attempt. */
export interface Cost {
  /** Exact decimal USD, such as `"0.000183"`; `null` only for a model without a price. */
  readonly usd: string | null;
  /** True when the platform reported no counts and the maximum cost was booked. */
  readonly estimated: boolean;
}

/** Fields of every model response. */
export interface CallAnswer {
  /** This gateway's id of the call. */
  readonly id: string;
  /** The model's id as in the request. */
  readonly model: string;
  /** The platform's id of the request, or `null` when it sent none. */
  readonly requestId: string | null;
  readonly usage: Usage;
  readonly cost: Cost;
}

/** Why the model stopped; an output cut off at `maxTokens` is the error TRUNCATED instead. */
export type FinishReason = 'stop' | 'stop-sequence' | 'content-filter' | 'other';

/** The body of `POST /v1/chat`. */
export interface ChatRequest extends CallRequest {}

/** The response of `POST /v1/chat`. */
export interface ChatAnswer extends CallAnswer {
  readonly text: string;
  /** Why the model stopped: see {@link FinishReason}. */
  readonly finishReason: FinishReason;
  /** For the message with this text, if the chat continues; absent where the model sent none. */
  readonly carry?: Carry;
}

/** The body of `POST /v1/objects`. */
export interface ObjectRequest extends CallRequest {
  /** A JSON Schema of `type: "object"`: draft-07, or 2020-12 if its `$schema` names it. */
  readonly schema: JsonObject;
  readonly schemaName?: string | undefined;
  readonly schemaDescription?: string | undefined;
}

/** The response of `POST /v1/objects`; `object` fits the schema. */
export interface ObjectAnswer<T = JsonObject> extends CallAnswer {
  /** The model's object, or a schema library's transformation of it. */
  readonly object: T;
}

/** A tool that the model may call. */
export interface Tool {
  readonly name: string;
  readonly description?: string;
  /** A JSON Schema of the tool's input. */
  readonly inputSchema: JsonObject;
}

/** Whether the model may call a tool, must call one, or must call the named one. */
export type ToolChoice = 'auto' | 'required' | { readonly name: string };

/** The body of `POST /v1/agents/run`: one turn. */
export interface AgentRequest extends CallRequest {
  /** 1–128 tools. */
  readonly tools: readonly Tool[];
  readonly toolChoice?: ToolChoice | undefined;
}

/** The response of `POST /v1/agents/run`. */
export interface AgentAnswer extends CallAnswer {
  /** True when the model called no tool: the agent has finished. */
  readonly done: boolean;
  readonly text?: string;
  /** The model's tool calls; empty when it has finished. */
  readonly toolCalls: readonly ToolCall[];
  /** The message to append to the conversation, before the tools' results. */
  readonly message: AssistantMessage;
}
