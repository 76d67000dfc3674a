export type Surface = 'chat' | 'responses' | 'messages' | 'embeddings';

export interface ModelRequest {
  readonly model: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly OfferedTool[];
  readonly toolChoice: ToolChoice;
  readonly format: AnswerFormat;
  /** The response ends before the first of these. */
  readonly stop: readonly string[];
  /** Undefined: the model's maximum. */
  readonly maxOutputTokens: number | undefined;
  /** Whether the platform stores the response; only for OpenAI surfaces. */
  readonly isStored?: boolean;
  readonly stream?: StreamRequest;
  readonly embed?: EmbedRequest;
}

export interface EmbedRequest {
  readonly texts: readonly string[];
  /** Numbers per embedding; undefined: the model decides. */
  readonly dimensions: number | undefined;
  readonly encodingFormat: 'float' | 'base64';
}

export interface StreamRequest {
  readonly includeUsage: boolean;
}

export interface ModelMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly texts: readonly string[];
  readonly imageCount: number;
  /** Documents and remote parts: their tokens do not depend on the body's bytes. */
  readonly fileCount?: number;
  readonly toolCalls: readonly ToolCallText[];
}

export interface ToolCallText {
  readonly name: string;
  readonly arguments: string;
}

export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: unknown;
}

export type ToolChoice = 'auto' | 'none' | 'required' | { readonly name: string };

export type AnswerFormat =
  | { readonly kind: 'text' }
  | { readonly kind: 'json-object' }
  | { readonly kind: 'json-schema'; readonly schema: unknown };
