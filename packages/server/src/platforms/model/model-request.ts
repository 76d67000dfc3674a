import type {
  AssistantMessage,
  JsonObject,
  Message,
  Part,
  Tool,
  ToolCall,
  ToolChoice,
} from '@model-gateway/contract';
import type { CarriedOutput } from '../../domain/carry.ts';
import type { Wire } from '../../domain/wire.ts';

/**
 * Undefined fields are left to the platform. A wire format must reject what it cannot express,
 * never drop it.
 */
export interface ModelRequest {
  readonly messages: readonly ModelMessage[];
  readonly hasCarry?: boolean;
  readonly maxTokens: number;
  readonly temperature?: number | undefined;
  readonly topP?: number | undefined;
  readonly frequencyPenalty?: number | undefined;
  readonly presencePenalty?: number | undefined;
  readonly seed?: number | undefined;
  readonly reasoning?: ReasoningEffort | undefined;
  readonly stop?: readonly string[] | undefined;
  readonly json?: JsonFormat | undefined;
  readonly tools?: readonly ModelTool[] | undefined;
  readonly toolChoice?: ToolChoice | undefined;
  readonly parallelToolCalls?: boolean | undefined;
  readonly verbosity?: 'low' | 'medium' | 'high' | undefined;
  readonly fields?: Readonly<Record<string, unknown>> | undefined;
  readonly verbatim?: VerbatimParts | undefined;
  /** Sent as the caller wrote it: of the fields above, only `maxTokens` and `fields` apply. */
  readonly relay?: RelayedRequest | undefined;
  readonly embed?: EmbedRequest | undefined;
}

export type VerbatimParts = ReadonlyMap<Part, object>;

export type ModelMessage =
  | Exclude<Message, { role: 'assistant' | 'tool' }>
  | ModelAssistantMessage
  | ToolResult;

interface ModelAssistantMessage extends AssistantMessage {
  readonly carried?: CarriedOutput | undefined;
  readonly toolCalls?: readonly WrittenCall[] | undefined;
}

/** `written`: arguments that are not JSON; `input` contains them as one string. */
interface WrittenCall extends ToolCall {
  readonly written?: string;
}

type ToolResult = Extract<Message, { role: 'tool' }> & { readonly name?: string };

export interface RelayedRequest {
  readonly wire: Wire;
  /** Only the model, the token maximum and forced fields are changed. */
  readonly text: string;
  readonly model: string;
  readonly headers: Readonly<Record<string, string>>;
}

export type EmbeddedText = string | readonly number[];

export interface EmbedRequest {
  readonly texts: readonly EmbeddedText[];
  /** Undefined: the model's default. */
  readonly dimensions?: number | undefined;
}

export type ModelTool = Tool & { readonly strict?: boolean | undefined };

export interface JsonFormat {
  /** Undefined: any object. */
  readonly schema?: JsonObject | undefined;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  /** A strict mode rejects schemas outside its subset; default true, as in the AI SDK. */
  readonly isStrict?: boolean | undefined;
}

export type ReasoningEffort = 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max';
