import type { ApiErrorCode, Cost, Usage } from '@model-gateway/contract';
import type { GatewayCode } from './failure.ts';
import type { AgentRunState } from './run-state.ts';

/**
 * Codes of the client itself. Source: specification, section 7.
 *
 * - `TIMEOUT`: the whole call took longer than `timeoutMs`
 * - `NETWORK`: the API could not be reached
 * - `BAD_RESPONSE`: success status, but the body is not a JSON object
 * - `ABORTED`: the caller's signal
 */
export type ClientCode = 'TIMEOUT' | 'NETWORK' | 'BAD_RESPONSE' | 'ABORTED';

/**
 * Every existing code: the API's, those of the gateway in front of it, the client's own, and
 * `HTTP_<status>` for a response without a code.
 */
export type LlmErrorCode = ApiErrorCode | GatewayCode | ClientCode | `HTTP_${number}`;

/** The fields of an {@link LlmError}, which documents them. */
export interface LlmErrorDetails {
  readonly message: string;
  readonly status: number;
  readonly code: LlmErrorCode | (string & Record<never, never>);
  readonly attempts: number;
  readonly retryable?: boolean | undefined;
  readonly requestId?: string | undefined;
  readonly model?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly gatewayRequestId?: string | undefined;
  readonly budgetScope?: string | undefined;
  readonly costUsd?: string | undefined;
  readonly usage?: Usage | undefined;
  readonly cost?: Cost | undefined;
  readonly object?: unknown;
  readonly partialText?: string | undefined;
  readonly lastError?: LlmError | undefined;
  readonly cause?: unknown;
}

// Registered: the errors of two copies of this package recognize each other.
const llmErrorBrand: unique symbol = Symbol.for('@model-gateway/sdk/LlmError');

/**
 * The only error of a failed call. Branch on `code`, never on `message`. Printing it never shows
 * the key. Wrong use of the client, such as a bad option, is a `TypeError` instead.
 */
export class LlmError extends Error {
  /** The HTTP status of the final attempt; 0 when there was no response. */
  declare readonly status: number;
  /** The API's code, the gateway's, or one of the client's: see {@link LlmErrorCode}. */
  declare readonly code: LlmErrorCode | (string & Record<never, never>);
  /** Attempts that were begun; 0 when the caller's signal had aborted before the first. */
  declare readonly attempts: number;
  /**
   * Whether the same call might succeed a little later. True for codes that the client retries,
   * THROTTLED and TIMEOUT; false where it needs another request, money, or the admin.
   */
  declare readonly retryable: boolean;
  /**
   * The gateway's id of the last attempt's request: send it to the operator, who finds it in the
   * log. Present when the gateway responded.
   */
  declare readonly gatewayRequestId?: string;
  /** The model platform's id of the request; present only if a model was reached. */
  declare readonly requestId?: string;
  /** The requested model; present only when the error came from a model call. */
  declare readonly model?: string;
  /**
   * The wait that the server requested, in milliseconds, not capped: for BUDGET_EXCEEDED until
   * 00:00 UTC. Present only when the last response had a usable `retry-after`.
   */
  declare readonly retryAfterMs?: number;
  /**
   * The key of every attempt of a POST. The same call with it is not paid twice: it collects a
   * response that was finished after a timeout. The service stores it for 1 h.
   */
  declare readonly idempotencyKey?: string;
  /**
   * The budget that rejected the call: `app-day`, the app's daily budget, or another one, such as
   * `group-month:research`. Present on BUDGET_EXCEEDED of a gateway that reports it.
   */
  declare readonly budgetScope?: string;
  /**
   * The billed cost of the failed call in USD, all its attempts together, as an exact decimal. For
   * example: TRUNCATED, or BAD_OUTPUT and its retry. Present when the gateway reported it.
   */
  declare readonly costUsd?: string;
  /**
   * The tokens of a response that only your own schema rejected, or of a failed stream, where they
   * were reported.
   */
  declare readonly usage?: Usage;
  /** The cost of only that response or stream. */
  declare readonly cost?: Cost;
  /**
   * The object that only your own schema rejected, to inspect or repair; present on that
   * BAD_OUTPUT. Neither printed nor in JSON, because a model wrote it.
   */
  declare readonly object?: unknown;
  /**
   * The text that a stream sent before it failed, or the raw JSON of an object. The response that
   * `final()` collects later might differ. Neither printed nor in JSON.
   */
  declare readonly partialText?: string;
  /**
   * The last attempt's error before your signal or the time limit ended the call. Present on the
   * client's ABORTED and TIMEOUT in a later attempt or a back-off. Not printed.
   */
  declare readonly lastError?: LlmError;
  /**
   * The state of `runAgent`; present only when it threw this. Resume with
   * `runAgent(request, { resume: error.run })`, which does not pay again for finished work. Neither
   * printed nor in JSON, because it contains the conversation.
   */
  declare readonly run?: AgentRunState;

  /** Only the client creates it, except in tests of code that handles it. */
  constructor(details: LlmErrorDetails) {
    super(details.message, details.cause === undefined ? {} : { cause: details.cause });
    const shown = { ...details, retryable: details.retryable === true };
    // Absent rather than undefined: a printed error shows only existing fields.
    for (const name of shownNames) {
      if (shown[name] !== undefined) Object.assign(this, { [name]: shown[name] });
    }
    for (const name of hiddenNames) {
      if (details[name] !== undefined) hide(this, name, details[name]);
    }
  }

  /** Always `LlmError`, even if a minifier shortens class names. */
  override get name(): string {
    return 'LlmError';
  }

  /** Marks the class across copies of this package; `LlmError.is` reads it. */
  get [llmErrorBrand](): true {
    return true;
  }

  /** Whether a caught value is an `LlmError`, of this copy of the package or of another. */
  static is(error: unknown): error is LlmError {
    return mayBe(error) && llmErrorBrand in error;
  }

  /** The fields for a structured log, without the cause and the stack. */
  toJSON(): Readonly<Record<string, unknown>> {
    const { name, message } = this;
    return Object.assign(
      { name, message },
      ...shownNames.map((field) => ({ [field]: this[field] })),
    );
  }
}

const shownNames = [
  'status',
  'code',
  'attempts',
  'retryable',
  'gatewayRequestId',
  'requestId',
  'model',
  'retryAfterMs',
  'budgetScope',
  'idempotencyKey',
  'costUsd',
  'usage',
  'cost',
] as const;
/** They contain a model's output, or another error with its own stack. */
const hiddenNames = ['object', 'partialText', 'lastError'] as const;

function hide(error: object, name: string, value: unknown): void {
  Object.defineProperty(error, name, { value, configurable: true });
}

/** Attaches the run that it ended to the exception, where possible. */
export function attachRun<Thrown>(thrown: Thrown, run: AgentRunState): Thrown {
  if (mayHold(thrown)) hide(thrown, 'run', run);
  return thrown;
}

/** Not if it has its own `run` already. */
function mayHold(thrown: unknown): thrown is object {
  return mayBe(thrown) && Object.isExtensible(thrown) && !('run' in thrown);
}

// Registered: the errors of two copies of this package recognize each other.
const toolErrorBrand: unique symbol = Symbol.for('@model-gateway/sdk/ToolError');

/**
 * An exception whose message becomes the tool's result for the model. The messages of all other
 * errors are hidden from the model, because they might contain confidential data.
 */
export class ToolError extends Error {
  /** Always `ToolError`, even if a minifier shortens class names. */
  override get name(): string {
    return 'ToolError';
  }

  /** Marks the class across copies of this package; `ToolError.is` reads it. */
  get [toolErrorBrand](): true {
    return true;
  }

  /** Whether a caught value is a `ToolError`, of this copy of the package or of another. */
  static is(error: unknown): error is ToolError {
    return mayBe(error) && toolErrorBrand in error;
  }
}

/** Repeated here, since this file imports no other. */
function mayBe(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
