import type { AssistantMessage, Carry, JsonObject, Message, ToolCall } from './messages.ts';

/**
 * Fields of every request for a model. What is optional may be `undefined` as well, which JSON
 * leaves out: strict callers pass their own optional values on.
 */
export interface CallFields {
  /** The catalog's id of the model, 1–128 characters. */
  readonly model: string;
  /**
   * Whose wallet pays; required when the app meters credits. 1–128 characters, no `/`, and neither
   * `.` nor `..`. It is taken byte for byte.
   */
  readonly userId?: string | undefined;
}

/** Fields of every operation that goes on with a conversation. */
export interface CallRequest extends CallFields {
  /** At least one message. */
  readonly messages: readonly Message[];
  /** The most tokens that the model may write, 1–1,000,000. */
  readonly maxTokens: number;
  /** 0–2. */
  readonly temperature?: number | undefined;
  /** 0–1. */
  readonly topP?: number | undefined;
  /** At most 8 sequences at which the model stops. */
  readonly stop?: readonly string[] | undefined;
}

/** Tokens of the answered attempt. Input includes both cached kinds, output includes reasoning. */
export interface Usage {
  /** All that the model read, both cached kinds included. */
  readonly inputTokens: number;
  /** The part of the input that came from the platform's cache. */
  readonly cachedInputTokens: number;
  /** The part of the input that was written to the platform's cache. */
  readonly cacheWriteInputTokens: number;
  /** All that the model wrote, reasoning included. */
  readonly outputTokens: number;
  /** The part of the output that the model thought and did not answer. */
  readonly reasoningTokens: number;
}

/** What the answered attempt cost. */
export interface Cost {
  /** Exact decimal USD, such as `"0.000183"`; `null` only for a model without a price. */
  readonly usd: string | null;
  /** True when the platform did not say what it counted and the most it could cost was booked. */
  readonly estimated: boolean;
}

/** Fields that every answer of a model has. */
export interface CallAnswer {
  /** This gateway's id of the call. */
  readonly id: string;
  /** The model's id as it was sent. */
  readonly model: string;
  /** The platform's id of the request, or `null` when it gave none. */
  readonly requestId: string | null;
  readonly usage: Usage;
  readonly cost: Cost;
}

/** Why the model stopped; an output cut off at `maxTokens` is the error TRUNCATED instead. */
export type FinishReason = 'stop' | 'stop-sequence' | 'content-filter' | 'other';

/** The body of `POST /v1/chat`. */
export interface ChatRequest extends CallRequest {}

/** The answer of `POST /v1/chat`. */
export interface ChatAnswer extends CallAnswer {
  readonly text: string;
  /** Why the model stopped: see {@link FinishReason}. */
  readonly finishReason: FinishReason;
  /** For the message with this text, if the chat goes on; absent where there is nothing. */
  readonly carry?: Carry;
}

/** The body of `POST /v1/objects`. */
export interface ObjectRequest extends CallRequest {
  /** A JSON Schema of `type: "object"`: draft-07, or 2020-12 when its `$schema` says so. */
  readonly schema: JsonObject;
  readonly schemaName?: string | undefined;
  readonly schemaDescription?: string | undefined;
}

/** The answer of `POST /v1/objects`; `object` fits the schema. */
export interface ObjectAnswer<T = JsonObject> extends CallAnswer {
  /** What the model wrote; of a schema library what that made of it. */
  readonly object: T;
}

/** A tool that the model may ask for. */
export interface Tool {
  readonly name: string;
  readonly description?: string;
  /** A JSON Schema of the tool's input. */
  readonly inputSchema: JsonObject;
}

/** Whether the model may, must, or must with one named tool, ask for a tool. */
export type ToolChoice = 'auto' | 'required' | { readonly name: string };

/** The body of `POST /v1/agents/run`: one turn. */
export interface AgentRequest extends CallRequest {
  /** 1–128 tools. */
  readonly tools: readonly Tool[];
  readonly toolChoice?: ToolChoice | undefined;
}

/** The answer of `POST /v1/agents/run`. */
export interface AgentAnswer extends CallAnswer {
  /** True when the model asked for no tool: the agent has finished. */
  readonly done: boolean;
  readonly text?: string;
  /** The tools that the model asks for; empty when it has finished. */
  readonly toolCalls: readonly ToolCall[];
  /** The message to append to the conversation, before the tools' results. */
  readonly message: AssistantMessage;
}
