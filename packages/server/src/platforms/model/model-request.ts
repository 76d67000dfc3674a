import type {
  AssistantMessage,
  JsonObject,
  Message,
  Part,
  Tool,
  ToolCall,
  ToolChoice,
} from '@model-gateway/contract';
import type { Carried } from '../../domain/carry.ts';
import type { Wire } from '../../domain/wire.ts';

/**
 * What a model is asked, for any caller and over any wire. What is undefined is left to
 * the platform; what a wire has no words for is refused by it, never dropped.
 */
export interface ModelRequest {
  /** The conversation, in the one form that all operations have. */
  readonly messages: readonly ModelMessage[];
  /** Whether any of them has a carry. */
  readonly hasCarry?: boolean;
  /** The most tokens that it may write: what the call's hold was made for. */
  readonly maxTokens: number;
  readonly temperature?: number | undefined;
  readonly topP?: number | undefined;
  readonly frequencyPenalty?: number | undefined;
  readonly presencePenalty?: number | undefined;
  readonly seed?: number | undefined;
  /** How much it reasons before it answers. */
  readonly reasoning?: ReasoningEffort | undefined;
  /** Sequences at which it stops. */
  readonly stop?: readonly string[] | undefined;
  /** Asks for JSON in the place of text. */
  readonly json?: JsonFormat | undefined;
  /** Tools that it may ask for, with `toolChoice` as in a request for an agent's turn. */
  readonly tools?: readonly ModelTool[] | undefined;
  readonly toolChoice?: ToolChoice | undefined;
  /** Whether it may ask for several at once. */
  readonly parallelToolCalls?: boolean | undefined;
  /** How much it says. */
  readonly verbosity?: 'low' | 'medium' | 'high' | undefined;
  /** Fields at the top of the body that the gateway does not know, with their values. */
  readonly fields?: Readonly<Record<string, unknown>> | undefined;
  /** Parts of the conversation that chat completions are sent in the caller's words. */
  readonly verbatim?: VerbatimParts | undefined;
  /** Sent as its caller wrote it: then nothing of the above is, but `maxTokens` and `fields`. */
  readonly relay?: RelayedRequest | undefined;
  /** Texts to embed, for a model that does nothing else; there is no conversation then. */
  readonly embed?: EmbedRequest | undefined;
}

/** Parts as their caller wrote them, each by the part that stands for it. */
export type VerbatimParts = ReadonlyMap<Part, object>;

/** A message, with what only some wires have words for. */
export type ModelMessage = Exclude<Message, { role: 'assistant' | 'tool' }> | Said | ToolResult;

interface Said extends AssistantMessage {
  /** What of `carry` the model is sent. */
  readonly carried?: Carried | undefined;
  readonly toolCalls?: readonly WrittenCall[] | undefined;
}

/** A tool call; `written` are arguments that are not JSON, which `input` has as one string. */
interface WrittenCall extends ToolCall {
  readonly written?: string;
}

/** `name` is that of the tool. */
type ToolResult = Extract<Message, { role: 'tool' }> & { readonly name?: string };

/** A request in the words of a wire, for models that speak it. */
export interface RelayedRequest {
  readonly wire: Wire;
  /** The body, of which the model, the maximum of tokens and what is forced are changed. */
  readonly text: string;
  /** The model as its caller names it: what the answer names, too. */
  readonly model: string;
  /** What belongs to the request beside its body. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A text, or the ids of its tokens. */
export type EmbeddedText = string | readonly number[];

/** Texts, of each of which an embedding is asked for. */
export interface EmbedRequest {
  readonly texts: readonly EmbeddedText[];
  /** How many numbers each is to have; the model's own choice where it is not said. */
  readonly dimensions?: number | undefined;
}

/** A tool; `strict` asks for inputs that fit its schema, where the platform has such a mode. */
export type ModelTool = Tool & { readonly strict?: boolean | undefined };

/** The JSON that is asked for. */
export interface JsonFormat {
  /** Any object where there is none. */
  readonly schema?: JsonObject | undefined;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  /**
   * Whether a platform that has a strict mode is to use it, which refuses every schema outside of
   * its subset; true unless told otherwise, as with the AI SDK.
   */
  readonly isStrict?: boolean | undefined;
}

/** Words of the wires for how much a model reasons. */
export type ReasoningEffort = 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max';
