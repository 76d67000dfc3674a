import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
} from '@ai-sdk/provider';
import type { CatalogModel } from '../catalog/catalog.ts';
import type { PlatformKind } from '../domain/platform.ts';
import type { Log } from '../lib/log.ts';
import type { ListModels } from './list-models.ts';
import type { Projects } from './projects.ts';
import type { OnHead } from './transport.ts';

/** What a platform has of its surroundings. */
export interface PlatformContext {
  /** Told of bytes that it sent although nothing had been asked for. */
  readonly onUnsolicited?: () => void;
  /** Credentials of all platforms. */
  readonly secrets?: readonly string[];
  /** Whether the log may have what it says in errors. */
  readonly logPlatformErrors?: boolean;
}

/** A model platform: made once from the configuration, used by every call. */
export interface Platform {
  readonly name: string;
  readonly kind: PlatformKind;
  /** True when a call must carry its app's billing project. */
  readonly needsProject: boolean;
  /** The model behind a catalog row. Building one is slow, so it is built once and kept. */
  model(row: CatalogModel): PlatformModel;
  /**
   * Finds out, in bounded time, whether calls of these rows are billed to the project that they
   * name; absent where that is not in doubt.
   */
  readonly prove?: (rows: readonly CatalogModel[], log: Log) => Promise<void>;
  /** Why no call of this row may be made now, for the log; undefined when one may. */
  readonly refusal?: (row: CatalogModel) => string | undefined;
  /** Asks for its models, which costs nothing; absent where there is no way to. */
  readonly listModels?: ListModels;
  /** Its billing projects; undefined for a platform that has none. */
  readonly projects: Projects | undefined;
  /** Closes its connections. */
  close(): Promise<void>;
}

/** One model of a platform. */
export interface PlatformModel {
  /** Encodes, sends and decodes one attempt; never retries. */
  readonly languageModel: LanguageModelV4;
  /** True when an attempt without a project must never be sent. */
  readonly needsProject: boolean;
  /** The headers that bill a call to a project. */
  projectHeaders(projectId: string): Readonly<Record<string, string>>;
  /** Reads the token counts from an answer's own JSON, before any library's default. */
  readUsage(body: unknown): ReportedUsage;
  /** Takes the platform's credentials, and what looks like one, out of a text for the log. */
  redact(text: string): string;
}

/**
 * Token counts as the platform wrote them; undefined where it wrote none, or something that is no
 * integer of at least 0. Input includes both cached kinds, output includes reasoning.
 */
export interface ReportedUsage {
  readonly inputTokens: number | undefined;
  readonly cachedInputTokens: number | undefined;
  readonly cacheWriteInputTokens: number | undefined;
  readonly outputTokens: number | undefined;
  readonly reasoningTokens: number | undefined;
  /**
   * Whether the counts fit each other. `exact`: they do; `surplus`: the total is above them, and
   * what no count explains is part of the output; `contradiction`: a part is more than its whole,
   * and the whole is their sum.
   */
  readonly consistency: 'exact' | 'surplus' | 'contradiction';
}

/** What an attempt is made of. */
export interface AttemptRequest {
  readonly model: PlatformModel;
  readonly options: Omit<LanguageModelV4CallOptions, 'headers' | 'abortSignal'>;
  readonly projectId: string | undefined;
  /** Whose call it is; undefined for the gateway's own. */
  readonly app?: string;
  /** Cuts the call upstream. */
  readonly signal: AbortSignal;
  /**
   * Told the platform's id of the request as soon as the head of its answer has come, and once more
   * at the end; and undefined when the attempt begins, since that of an earlier one is not its own.
   */
  readonly onRequestId?: (requestId: string | undefined) => void;
}

/** What a platform's model is called with: any model's options, and what the exchange needs. */
export interface CallOptions extends LanguageModelV4CallOptions {
  /** Whose call it is: apps share no connection. */
  readonly app?: string | undefined;
  readonly onHead?: OnHead | undefined;
}

/** Codes that a failed attempt may have. */
export type AttemptCode = 'BAD_REQUEST' | 'AUTH' | 'NOT_FOUND' | 'THROTTLED' | 'SERVER';

/** What one attempt came to. Source: `docs/decisions`, "who pays". */
export type AttemptOutcome =
  | {
      readonly kind: 'answered';
      readonly content: readonly LanguageModelV4Content[];
      readonly finish: 'stop' | 'length' | 'content-filter' | 'tool-calls' | 'error' | 'other';
      /** The platform's own word for why it stopped. */
      readonly finishRaw: string | undefined;
      readonly usage: ReportedUsage;
      readonly requestId: string | undefined;
    }
  | {
      readonly kind: 'failed';
      readonly code: AttemptCode;
      /** Whether the platform may bill it: `unknown` is never booked as free. */
      readonly billed: 'no' | 'unknown';
      readonly isRetryable: boolean;
      /**
       * Set when the gateway itself lacked what an attempt needs: descriptors, credentials, or the
       * app's project. Nothing was sent; it is INTERNAL to the caller, and no mark against the
       * platform.
       */
      readonly isOwnFault?: true;
      /**
       * Set when no attempt was made, since the platform keeps failing: milliseconds until it is
       * tried again.
       */
      readonly refusedForMs?: number;
      readonly retryAfterMs: number | undefined;
      /** The HTTP status; undefined when no answer came. */
      readonly status: number | undefined;
      readonly requestId: string | undefined;
      /** Counts found in an answer that could not be used. */
      readonly usage: ReportedUsage | undefined;
      /** For the log alone: the status and the platform's codes, clipped. */
      readonly detail: string;
      /**
       * What the platform said of it, without secrets and quotes of the request; never for a
       * caller, nor for a log. Undefined where it said nothing, and where nobody wants to know.
       */
      readonly sentence?: string;
    };
