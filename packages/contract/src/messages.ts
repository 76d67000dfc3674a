/** Any value that JSON can carry. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

/** A JSON object: a schema, a tool's input, an answered object. */
export type JsonObject = { readonly [key: string]: JsonValue };

/** A piece of a user's message: text, or an image as base64. */
export type Part =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly mediaType: string; readonly data: string };

/** A tool that the model asks for; `input` fits the tool's `inputSchema`. */
export interface ToolCall {
  /** The model's own id of this call, which the tool's message answers. */
  readonly id: string;
  readonly name: string;
  readonly input: JsonValue;
}

/**
 * What the model said: a `content`, which may be empty, or at least one tool call, or both. With
 * neither it is INVALID.
 */
export interface AssistantMessage {
  readonly role: 'assistant';
  readonly content?: string | undefined;
  readonly toolCalls?: readonly ToolCall[] | undefined;
  /** As the answer had it, which the model may need for its next turn: see {@link Carry}. */
  readonly carry?: Carry | undefined;
}

/**
 * Output of a model other than text and tool calls, such as reasoning and signatures. Send it
 * back unchanged with the message that it came with: at most 1 MiB of JSON. Only the family of
 * models that wrote it gets it; for another model it is left out, and `x-dropped-fields` names it.
 */
export type Carry = JsonObject;

/** One message of a conversation, the same for all three operations. */
export type Message =
  | { readonly role: 'system'; readonly content: string }
  | { readonly role: 'user'; readonly content: string | readonly Part[] }
  | AssistantMessage
  | { readonly role: 'tool'; readonly toolCallId: string; readonly content: string };
