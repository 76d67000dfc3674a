/** Any value that JSON can carry. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

/** A JSON object: a schema, a tool's input, a returned object. */
export type JsonObject = { readonly [key: string]: JsonValue };

/** A piece of a user's message: text, or an image as base64. */
export type Part =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly mediaType: string; readonly data: string };

/** A model's call of a tool; `input` fits the tool's `inputSchema`. */
export interface ToolCall {
  /** The model's own id of this call; the message with the tool's result repeats it. */
  readonly id: string;
  readonly name: string;
  readonly input: JsonValue;
}

/**
 * The model's output: a `content`, which may be empty, or at least one tool call, or both. With
 * neither it is INVALID.
 */
export interface AssistantMessage {
  readonly role: 'assistant';
  readonly content?: string | undefined;
  readonly toolCalls?: readonly ToolCall[] | undefined;
  /** The value of the response, which the model might need in its next turn: see {@link Carry}. */
  readonly carry?: Carry | undefined;
}

/**
 * Output other than text and tool calls, such as reasoning and signatures. Send it back unchanged
 * with its message: at most 1 MiB of JSON. Only the family of models that wrote it gets it. For
 * other models it is left out, and `x-dropped-fields` names it.
 */
export type Carry = JsonObject;

/** One message of a conversation, the same for all three operations. */
export type Message =
  | { readonly role: 'system'; readonly content: string }
  | { readonly role: 'user'; readonly content: string | readonly Part[] }
  | AssistantMessage
  | { readonly role: 'tool'; readonly toolCallId: string; readonly content: string };
