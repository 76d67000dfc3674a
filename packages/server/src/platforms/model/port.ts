import type { CatalogModel } from '../../catalog/catalog.ts';
import type { Carried, CarryName } from '../../domain/carry.ts';
import type { Doubt } from '../../domain/doubt.ts';
import type { PlatformKind } from '../../domain/platform.ts';
import type { ModalityCounts, PartCounts } from '../../domain/rates.ts';
import type { OpenShares } from '../../domain/shares.ts';
import type { Vector } from '../../domain/vector.ts';
import type { Wire } from '../../domain/wire.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { RequestWork } from '../../lib/work.ts';
import type { Costs } from '../billing/cost-api.ts';
import type { FindKeyProject } from '../billing/key-project.ts';
import type { Projects } from '../billing/projects.ts';
import type { Flow } from '../http/flow.ts';
import type { ToldId } from '../http/transport.ts';
import type { Way } from '../http/way.ts';
import type { Finish } from '../statements/finish-reasons.ts';
import type { AccountProblem } from './account.ts';
import type { Delta, ModelContent } from './content.ts';
import type { ListModels } from './list-models.ts';
import type { ModelRequest } from './model-request.ts';
import type { Rejection } from './rejection.ts';
import type { UnusableCause } from './unusable.ts';

/** What a platform has of its surroundings. */
export interface PlatformContext {
  /** For a `retry-after` that is a date, and for what a platform does now and then. */
  readonly clock: Clock;
  /** Told of bytes that it sent although nothing had been asked for. */
  readonly onUnsolicited?: () => void;
  readonly way?: Way;
  /** How apps share the connections to it. */
  readonly openShares?: OpenShares | undefined;
  /** Credentials of all platforms. */
  readonly secrets?: readonly string[];
  /** Whether the log may have what it says in errors. */
  readonly logPlatformErrors?: boolean;
  /** Whether it is told of the traces that its requests are in. */
  readonly propagateTrace?: boolean;
}

/** A model platform: made once from the configuration, used by every call. */
export interface Platform {
  readonly name: string;
  readonly kind: PlatformKind;
  /** True when a call must carry its app's billing project. */
  readonly needsProject: boolean;
  /** The model behind a catalog row. Building one is slow, so it is built once and kept. */
  model(row: CatalogModel): ModelPort;
  /** Finds out in bounded time whether calls of these rows are billed to their project. */
  readonly verifyBilling?: (rows: readonly CatalogModel[], log: Log) => Promise<void>;
  /** Why no call of this row may be made now, for the log; undefined when one may. */
  readonly refusal?: (row: CatalogModel) => string | undefined;
  /** Asks for its models, which costs nothing; absent where there is no way to. */
  readonly listModels?: ListModels;
  /** Asks for the project of its key, free; absent where responses do not name it. */
  readonly keyProject?: FindKeyProject;
  /** Its billing projects; undefined for a platform that has none. */
  readonly projects: Projects | undefined;
  /** What it bills; absent where it is not asked, or without a key for that. */
  readonly costs?: Costs | undefined;
  /** Closes its connections. */
  close(): Promise<void>;
}

/** One model of a platform: the only way in which it is asked. */
export interface ModelPort {
  /** Whether it can tell an answer as it comes; decided before anything is held. */
  readonly streams: boolean;
  /** What it speaks; undefined where only a package knows. Decided before anything is held. */
  readonly wire: Wire | undefined;
  /** Names of what it takes back of its messages, where its row states none. */
  readonly carryNames: readonly CarryName[];
  /**
   * Makes one attempt: writes the request in the platform's words, sends it at most once, reads the
   * answer. Never throws and never retries: each failure is an outcome.
   */
  attempt(request: ModelRequest, options: AttemptOptions): Promise<AttemptOutcome>;
}

/** Whose attempt it is, and its follower. */
export interface AttemptOptions {
  /** Cuts the attempt upstream. */
  readonly signal: AbortSignal;
  /** Whose call it is: apps share no connection. Undefined for the gateway's own. */
  readonly app?: string | undefined;
  /** The billing project; without one, a platform that has projects sends nothing. */
  readonly projectId?: string | undefined;
  /** Absent where its id is wanted with the outcome alone. */
  readonly told?: ToldId | undefined;
  /** Times what the attempt costs this thread; absent for the gateway's own. */
  readonly work?: RequestWork | undefined;
  /**
   * Follows the answer as it comes; where there is none, the platform is asked for all of it at
   * once. The outcome has all of it in any case. Only for a model that {@link ModelPort.streams}.
   */
  readonly stream?: AttemptStream | undefined;
  /** Its trace, for a platform that is to know it. */
  readonly trace?: { headers(): Readonly<Record<string, string>> } | undefined;
  /** What becomes of the platform's own sentences, if not what the configuration says. */
  readonly sentences?: Sentences | undefined;
}

/** The follower of an answer while it comes. None of these throws. */
export interface AttemptStream {
  /**
   * Told each piece, in order, once: the attempt is its only source. False where no caller is shown
   * anything of it: then the attempt may still be made again.
   */
  onDelta(delta: Delta): unknown;
  /** Told of each sign of life, comments and pings too, before the deltas in it. */
  onEvent(): void;
  /** Given once, with the head of a stream, what holds the platform back and lets it go on. */
  onFlow(flow: Flow): void;
}

/** What becomes of a platform's own sentences: they may quote prompts, and name accounts. */
export type Sentences =
  /** No caller is told of them: the log has the status and the codes. */
  | 'unsaid'
  /** They are in the outcome, for programs, and for the caller that made the call. */
  | 'told'
  /** They are in the log's words as well. */
  | 'logged';

/**
 * Token counts as the platform wrote them; undefined where it wrote none, or something that is no
 * integer of at least 0. Input includes both cached kinds, output includes reasoning.
 */
export interface ReportedUsage extends ModalityCounts {
  readonly inputTokens: number | undefined;
  readonly cachedInputTokens: number | undefined;
  readonly cacheWriteInputTokens: number | undefined;
  /** Of what was written to the cache, what is kept for an hour; undefined for nothing. */
  readonly cacheWrite1hInputTokens?: number;
  readonly outputTokens: number | undefined;
  readonly reasoningTokens: number | undefined;
  /**
   * Why a cost of these counts cannot be exact; none where everything that the response reports
   * fits. With `impossible-counts` a part is above its whole, and the whole is their sum.
   */
  readonly doubts: readonly Doubt[];
  /** The counts of priced tools and of priced parts; undefined where none is priced. */
  readonly toolUses?: Readonly<Record<string, number>> | undefined;
  readonly parts?: PartCounts | undefined;
  /** What the platform says that it costs, and the name of its field; undefined for nothing. */
  readonly reportedCost?: { readonly picoUsd: bigint; readonly name: string };
  /** What a stream reported before its last content, where it reported nothing behind it. */
  readonly atLeast?: ReportedUsage | undefined;
}

/** Codes that a failed attempt may have. */
export type AttemptCode = 'BAD_REQUEST' | 'AUTH' | 'NOT_FOUND' | 'THROTTLED' | 'SERVER';

/** What one attempt came to. Source: `docs/decisions`, "who pays". */
export type AttemptOutcome =
  | {
      readonly kind: 'answered';
      readonly content: readonly ModelContent[];
      readonly finish: Finish;
      /** The platform's own word for why it stopped. */
      readonly finishRaw: string | undefined;
      /** Of a model of embeddings, in the order of the texts; an empty one could not be read. */
      readonly vectors?: readonly Vector[] | undefined;
      /** Output other than text and calls, which the model may need back; undefined for none. */
      readonly carried?: Carried | undefined;
      readonly usage: ReportedUsage;
      readonly requestId: string | undefined;
      /**
       * Of a relayed request: the platform's own answer, as JSON, the model's name aside; of a
       * stream the events that no delta has told, the last one among them.
       */
      readonly body?: string;
    }
  | {
      readonly kind: 'failed';
      readonly code: AttemptCode;
      /** Whether the platform may bill it: `unknown` is never booked as free. */
      readonly billed: 'no' | 'unknown';
      readonly isRetryable: boolean;
      /**
       * The gateway lacked descriptors, credentials, or the app's project. Nothing was sent; it is
       * INTERNAL to the caller, and no mark against the platform.
       */
      readonly isOwnFault?: true;
      /** Set when the platform rejects the operator's account, whatever the request is. */
      readonly account?: AccountProblem;
      /** Set of a 404 that states nothing of a model: the address is wrong, not the model. */
      readonly isPathUnknown?: true;
      /** Set of a response with 2xx that had no answer in it: several open a circuit. */
      readonly unusable?: UnusableCause;
      /**
       * Set when a stream ended otherwise than by its last event, after its head: `usage` is what
       * had been stated by then, and nothing is tried again once a delta was shown.
       */
      readonly broke?: true;
      /** Set of a stream that broke while it was held back, or before it went on after that. */
      readonly wasHeldBack?: true;
      /** Set when no attempt was made: milliseconds until the failing platform is tried again. */
      readonly refusedForMs?: number;
      readonly retryAfterMs: number | undefined;
      /** The HTTP status, or that of an error object in place of content; undefined for none. */
      readonly status: number | undefined;
      /** The status that an error object names which came after content. */
      readonly namedStatus?: number | undefined;
      readonly requestId: string | undefined;
      /** Counts found in an answer that could not be used, or in a stream that broke. */
      readonly usage: ReportedUsage | undefined;
      /** Why the platform rejected the request, where it states a known reason. */
      readonly rejection?: Rejection;
      /** For the log alone: the status and the platform's codes, clipped. */
      readonly detail: string;
      /**
       * The platform's own words, without secrets and quotes of the request; for no caller and no
       * log. Undefined where there are none, and where they were not requested.
       */
      readonly sentence?: string;
    };
