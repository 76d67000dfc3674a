/** The ways to ask a model: OpenAI's chat, responses and embeddings, Anthropic's messages. */
export type Surface = 'chat' | 'responses' | 'messages' | 'embeddings';

/** A model call apart from the surface that it came through. */
export interface ModelRequest {
  readonly model: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly OfferedTool[];
  readonly toolChoice: ToolChoice;
  readonly format: AnswerFormat;
  /** The answer ends before the first of these. */
  readonly stop: readonly string[];
  /** Output tokens asked for; undefined leaves it to the model's maximum. */
  readonly maxOutputTokens: number | undefined;
  /** Whether the platform keeps the answer, which the OpenAI surfaces leave to the request. */
  readonly isStored?: boolean;
  /** That the answer is to come in pieces; absent where it is asked for whole. */
  readonly stream?: StreamRequest;
  /** Present where embeddings are asked for, in the place of an answer. */
  readonly embed?: EmbedRequest;
}

/** Texts to embed, which are the request's messages as well. */
export interface EmbedRequest {
  readonly texts: readonly string[];
  /** Numbers of each embedding; undefined leaves it to the model. */
  readonly dimensions: number | undefined;
  readonly encodingFormat: 'float' | 'base64';
}

/** What a request says of its stream. */
export interface StreamRequest {
  /** Whether chat completions are to state what was used, in an event of its own. */
  readonly includeUsage: boolean;
}

/** One message, its parts by kind. */
export interface ModelMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly texts: readonly string[];
  readonly imageCount: number;
  /** Documents, and whatever is elsewhere: its tokens do not depend on the bytes of the body. */
  readonly fileCount?: number;
  /** Calls that an assistant made in an earlier turn. */
  readonly toolCalls: readonly ToolCallText[];
}

/** A tool call as a model writes it: the arguments are text that ought to be JSON. */
export interface ToolCallText {
  readonly name: string;
  readonly arguments: string;
}

/** A tool that the request offers; `parameters` is its JSON Schema. */
export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: unknown;
}

/** Whether the model may, must or must not call a tool, or which one it must. */
export type ToolChoice = 'auto' | 'none' | 'required' | { readonly name: string };

/** What the answer's text must be. */
export type AnswerFormat =
  | { readonly kind: 'text' }
  | { readonly kind: 'json-object' }
  | { readonly kind: 'json-schema'; readonly schema: unknown };
