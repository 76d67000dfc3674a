/**
 * The used part of the AI SDK's `LanguageModelV4` and `LanguageModelV3`. The package has no
 * dependencies; tests compare these types with the AI SDK's.
 */
export interface GatewayLanguageModel<Version extends SpecificationVersion> {
  readonly specificationVersion: Version;
  /** The name in `providerMetadata` and `providerOptions`: `modelGateway`. */
  readonly provider: string;
  readonly modelId: string;
  /** None: the AI SDK fetches URLs, and the gateway gets their bytes. */
  readonly supportedUrls: Record<string, RegExp[]>;
  /** Requests a whole response. */
  doGenerate(options: AiCallOptions): Promise<AiResult>;
  /** Requests a response in pieces; rejects for a failure before the first piece. */
  doStream(options: AiCallOptions): Promise<{ stream: ReadableStream<AiStreamPart> }>;
}

/** `v4` for the AI SDK 7, `v3` for the AI SDK 6. */
export type SpecificationVersion = 'v3' | 'v4';

/** A request of the AI SDK to a model. */
export interface AiCallOptions {
  readonly prompt: readonly AiMessage[];
  readonly maxOutputTokens?: number | undefined;
  readonly temperature?: number | undefined;
  readonly stopSequences?: readonly string[] | undefined;
  readonly topP?: number | undefined;
  readonly topK?: number | undefined;
  readonly presencePenalty?: number | undefined;
  readonly frequencyPenalty?: number | undefined;
  readonly seed?: number | undefined;
  readonly reasoning?: string | undefined;
  readonly responseFormat?: AiResponseFormat | undefined;
  readonly tools?: readonly AiTool[] | undefined;
  readonly toolChoice?: AiToolChoice | undefined;
  readonly abortSignal?: AbortSignal | undefined;
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined;
  readonly providerOptions?: Readonly<Record<string, object>> | undefined;
}

/** A message of its prompt; its role determines the valid parts. */
export interface AiMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string | readonly object[];
}

/** A tool that it offers; type `provider` means a tool on a vendor's platform. */
export interface AiTool {
  readonly type: 'function' | 'provider';
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema?: object | undefined;
}

type AiToolChoice =
  | { readonly type: 'auto' | 'none' | 'required' }
  | { readonly type: 'tool'; readonly toolName: string };

type AiResponseFormat =
  | { readonly type: 'text' }
  | {
      readonly type: 'json';
      readonly schema?: object | undefined;
      readonly name?: string | undefined;
      readonly description?: string | undefined;
    };

/** A setting that the gateway does not support and did not send to the model. */
export type AiWarning =
  | { type: 'unsupported'; feature: string; details?: string }
  | { type: 'compatibility'; feature: string; details?: string };

/** The result of a call, in `providerMetadata.modelGateway`. */
export type AiMetadata = {
  /** The cost of the whole call in USD, failed attempts included, as an exact decimal. */
  costUsd: string | null;
  /** True where the platform reported no counts. */
  estimated: boolean;
  /** The gateway's id of the call; `null` for a truncated call. */
  callId: string | null;
  /** The platform's id of the request. */
  requestId: string | null;
  /** The gateway's id of the request; send it to the operator. */
  gatewayRequestId: string | null;
  /** True when the response was made, and charged, for an earlier call with the same key. */
  replayed: boolean;
};

type AiProviderMetadata = { modelGateway: AiMetadata };

/** The tokens of a call; input includes cached tokens, output includes reasoning. */
export type AiUsage = {
  inputTokens: Record<'total' | 'noCache' | 'cacheRead' | 'cacheWrite', number | undefined>;
  outputTokens: Record<'total' | 'text' | 'reasoning', number | undefined>;
};

/** Why the model stopped; `raw` is the gateway's own reason. */
export type AiFinishReason = {
  unified: 'stop' | 'length' | 'content-filter' | 'tool-calls' | 'other';
  raw: string;
};

type AiToolCall = { type: 'tool-call'; toolCallId: string; toolName: string; input: string };

/** Any JSON, as the AI SDK writes its type. */
type AiJson = string | number | boolean | null | AiJson[] | { [name: string]: AiJson };

/** The `carry` of a response: the AI SDK sends it back with the message. */
export type AiCarry = { modelGateway: { carry: { [name: string]: AiJson } } };

/** A whole response. */
export type AiResult = {
  content: (
    | { type: 'text'; text: string }
    | { type: 'reasoning'; text: string; providerMetadata: AiCarry }
    | AiToolCall
  )[];
  finishReason: AiFinishReason;
  usage: AiUsage;
  providerMetadata: AiProviderMetadata;
  response: { id: string; modelId: string; headers: Record<string, string> };
  warnings: AiWarning[];
};

/** A piece of a response. */
export type AiStreamPart =
  | { type: 'stream-start'; warnings: AiWarning[] }
  | { type: 'response-metadata'; id: string; modelId: string }
  | { type: 'text-start' | 'text-end'; id: string }
  | { type: 'text-delta'; id: string; delta: string }
  | { type: 'reasoning-start' | 'reasoning-end'; id: string; providerMetadata: AiCarry }
  | { type: 'tool-input-start'; id: string; toolName: string }
  | { type: 'tool-input-delta'; id: string; delta: string }
  | { type: 'tool-input-end'; id: string }
  | AiToolCall
  | {
      type: 'finish';
      usage: AiUsage;
      finishReason: AiFinishReason;
      providerMetadata?: AiProviderMetadata;
    }
  | { type: 'error'; error: unknown };
