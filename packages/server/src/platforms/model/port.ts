import type { CatalogModel } from '../../catalog/catalog.ts';
import type { CarriedOutput, CarryName } from '../../domain/carry.ts';
import type { Doubt } from '../../domain/doubt.ts';
import type { PlatformKind } from '../../domain/platform-kinds/platform-kinds.ts';
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
import type { RequestIdHolder } from '../http/transport.ts';
import type { Way } from '../http/way.ts';
import type { Finish } from '../statements/finish-reasons.ts';
import type { AccountProblem } from './account.ts';
import type { Delta, ModelContent } from './content.ts';
import type { ListModels } from './list-models.ts';
import type { ModelRequest } from './model-request.ts';
import type { Rejection } from './rejection.ts';
import type { UnusableCause } from './unusable.ts';

export interface PlatformContext {
  readonly clock: Clock;
  readonly onUnsolicited?: () => void;
  readonly way?: Way;
  readonly openShares?: OpenShares | undefined;
  /** Of all platforms, for redaction. */
  readonly secrets?: readonly string[];
  /** Allows the platform's error texts in the log. */
  readonly logPlatformErrors?: boolean;
  readonly propagateTrace?: boolean;
}

export interface Platform {
  readonly name: string;
  readonly kind: PlatformKind;
  readonly needsProject: boolean;
  model(row: CatalogModel): ModelPort;
  readonly verifyBilling?: (rows: readonly CatalogModel[], log: Log) => Promise<void>;
  /** For the log; undefined when calls are allowed. */
  readonly refusal?: (row: CatalogModel) => string | undefined;
  /** Free; undefined when impossible. */
  readonly listModels?: ListModels;
  readonly keyProject?: FindKeyProject;
  readonly projects: Projects | undefined;
  readonly costs?: Costs | undefined;
  close(): Promise<void>;
}

export interface ModelPort {
  /** Decided before the reservation. */
  readonly streams: boolean;
  /** Undefined when only a package knows it. Decided before the reservation. */
  readonly wire: Wire | undefined;
  readonly carryNames: readonly CarryName[];
  /** Sends at most once and never retries. Never throws: each failure is an outcome. */
  attempt(request: ModelRequest, options: AttemptOptions): Promise<AttemptOutcome>;
}

export interface AttemptOptions {
  readonly signal: AbortSignal;
  /** Apps share no connection. Undefined for the gateway's own calls. */
  readonly app?: string | undefined;
  /** Without an id, a platform with projects sends nothing. */
  readonly projectId?: string | undefined;
  readonly requestIdHolder?: RequestIdHolder | undefined;
  readonly work?: RequestWork | undefined;
  /**
   * Only for a model that {@link ModelPort.streams}; undefined: not streamed. The outcome contains
   * the whole response either way.
   */
  readonly stream?: AttemptStream | undefined;
  readonly trace?: { headers(): Readonly<Record<string, string>> } | undefined;
  readonly sentences?: Sentences | undefined;
}

/** No method throws. */
export interface AttemptStream {
  /**
   * Called once per delta, in order. Returns false when the caller sees none of it: a retry is
   * still possible.
   */
  onDelta(delta: Delta): unknown;
  /** Also called for comments and pings, before the deltas of the event. */
  onEvent(): void;
  /** Called once, at the head of a stream. */
  onFlow(flow: Flow): void;
}

/** A platform's sentences may quote prompts and name accounts. */
export type Sentences =
  /** The log only contains status and codes. */
  | 'unsaid'
  /** In the outcome, for programs and the call's own caller. */
  | 'told'
  | 'logged';

/**
 * As reported by the platform; undefined unless an integer of at least 0. Input includes both
 * cached kinds, output includes reasoning.
 */
export interface ReportedUsage extends ModalityCounts {
  readonly inputTokens: number | undefined;
  readonly cachedInputTokens: number | undefined;
  readonly cacheWriteInputTokens: number | undefined;
  /** The part of cache writes stored for an hour; undefined for none. */
  readonly cacheWrite1hInputTokens?: number;
  readonly outputTokens: number | undefined;
  readonly reasoningTokens: number | undefined;
  /**
   * Why the cost cannot be exact. With `impossible-counts`, a part is above its whole, and the
   * whole is their sum.
   */
  readonly doubts: readonly Doubt[];
  readonly toolUses?: Readonly<Record<string, number>> | undefined;
  readonly parts?: PartCounts | undefined;
  readonly reportedCost?: { readonly picoUsd: bigint; readonly name: string };
  /** Reported before the last content, when nothing was reported after it. */
  readonly atLeast?: ReportedUsage | undefined;
}

export type AttemptCode = 'BAD_REQUEST' | 'AUTH' | 'NOT_FOUND' | 'THROTTLED' | 'SERVER';

/** Source: `docs/decisions`, the decision on who pays. */
export type AttemptOutcome =
  | {
      readonly kind: 'answered';
      readonly content: readonly ModelContent[];
      readonly finish: Finish;
      readonly finishRaw: string | undefined;
      /** In the order of the texts; an empty one could not be read. */
      readonly vectors?: readonly Vector[] | undefined;
      /** Output that the model may need back; undefined for none. */
      readonly carried?: CarriedOutput | undefined;
      readonly usage: ReportedUsage;
      readonly requestId: string | undefined;
      /**
       * For relayed requests: the platform's JSON with the model's name changed. For a stream, the
       * events not yet sent as deltas, including the last.
       */
      readonly body?: string;
    }
  | {
      readonly kind: 'failed';
      readonly code: AttemptCode;
      /** `unknown` is never booked as free. */
      readonly billed: 'no' | 'unknown';
      readonly isRetryable: boolean;
      /**
       * No descriptors, credentials or project: nothing was sent. The caller gets INTERNAL, and the
       * platform's circuit ignores it.
       */
      readonly isOwnFault?: true;
      readonly account?: AccountProblem;
      /** A 404 that names no model: the address is wrong. */
      readonly isPathUnknown?: true;
      readonly unusable?: UnusableCause;
      /**
       * The stream broke after its head. `usage` is the usage reported until then; no retry once a
       * delta was shown.
       */
      readonly broke?: true;
      /** The stream broke while paused, or before it resumed. */
      readonly wasHeldBack?: true;
      /** No attempt was made; milliseconds until the platform's next attempt. */
      readonly refusedForMs?: number;
      readonly retryAfterMs: number | undefined;
      /** From HTTP or from an error object in place of content. */
      readonly status: number | undefined;
      readonly namedStatus?: number | undefined;
      readonly requestId: string | undefined;
      readonly usage: ReportedUsage | undefined;
      readonly rejection?: Rejection;
      /** Only for the log: status and codes, clipped. */
      readonly detail: string;
      /**
       * Without secrets and quotes of the request; not for callers or the log. Undefined unless
       * requested.
       */
      readonly sentence?: string;
    };
