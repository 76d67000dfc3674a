import type { ApiErrorCode, Cost, Usage } from '@model-gateway/contract';
import type { GatewayCode } from './failure.ts';
import type { AgentRunState } from './run-state.ts';

/**
 * Codes of the client itself: `TIMEOUT` (the whole call took longer than `timeoutMs`), `NETWORK`
 * (the API could not be reached), `BAD_RESPONSE` (success status, but the body is not a JSON
 * object) and `ABORTED` (the caller's signal). Source: specification, section 7.
 */
export type ClientCode = 'TIMEOUT' | 'NETWORK' | 'BAD_RESPONSE' | 'ABORTED';

/**
 * Every code that is known today: the API's, those of the gateway in front of it, the client's
 * own, and `HTTP_<status>` for an answer that says no more.
 */
export type LlmErrorCode = ApiErrorCode | GatewayCode | ClientCode | `HTTP_${number}`;

/** What an {@link LlmError} is made of; its fields are explained there. */
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

// Registered, so that the errors of two copies of this package recognise each other.
const llmErrorBrand: unique symbol = Symbol.for('@model-gateway/sdk/LlmError');

/**
 * The one error that a call fails with. Branch on `code`, never on `message`. Printing it never
 * shows the key. (Wrong use of the client, such as a bad option, is a `TypeError` instead.)
 */
export class LlmError extends Error {
  /** The HTTP status of the final attempt; 0 when there was no answer. */
  declare readonly status: number;
  /** The API's code, the gateway's, or one of the client's: see {@link LlmErrorCode}. */
  declare readonly code: LlmErrorCode | (string & Record<never, never>);
  /** Attempts that were begun; 0 when the caller's signal had aborted before the first. */
  declare readonly attempts: number;
  /**
   * Whether the same call may succeed by itself a little later: true for what the client tries
   * again, THROTTLED and a TIMEOUT; false for what needs another request, money, or the admin.
   */
  declare readonly retryable: boolean;
  /**
   * The gateway's id of the last attempt's request: give this one to the operator, who finds it in
   * the log. Present when the gateway answered.
   */
  declare readonly gatewayRequestId?: string;
  /** The model platform's id of the request; present only when a model was reached. */
  declare readonly requestId?: string;
  /** The model as it was asked for; present only when the error came from a model call. */
  declare readonly model?: string;
  /**
   * How long the server asked to wait, in milliseconds, not capped: for BUDGET_EXCEEDED until
   * 00:00 UTC. Present only when the last answer had a usable `retry-after`.
   */
  declare readonly retryAfterMs?: number;
  /**
   * The key that every attempt of a POST carried. The same call made again with it is not paid
   * twice: it collects an answer that was finished after a timeout. Kept by the service for 1 h.
   */
  declare readonly idempotencyKey?: string;
  /**
   * Which budget has refused the call: `app-day`, the app's own of the day, or another one, such as
   * `group-month:research`. Present on BUDGET_EXCEEDED of a gateway that says so.
   */
  declare readonly budgetScope?: string;
  /**
   * What the failed call was billed in USD, all its attempts together, as an exact decimal: such as
   * for a TRUNCATED, or for a BAD_OUTPUT and its retry. Present when the gateway said so.
   */
  declare readonly costUsd?: string;
  /**
   * The tokens of the answer that only your own schema refused, or of a stream that failed, where
   * they are known.
   */
  declare readonly usage?: Usage;
  /** What that answer, or that stream, cost by itself. */
  declare readonly cost?: Cost;
  /**
   * The object that only your own schema refused, to look at or to mend; present on that
   * BAD_OUTPUT. Neither printed nor in JSON, because a model wrote it.
   */
  declare readonly object?: unknown;
  /**
   * What a stream had brought before it failed: text, or the raw JSON of an object. It may be no
   * part of the answer that `final()` collects afterwards. Neither printed nor in JSON.
   */
  declare readonly partialText?: string;
  /**
   * What the last attempt failed with before the call ended by your signal or its time; present on
   * ABORTED and TIMEOUT of the client that came in a later attempt or a back-off. Not printed.
   */
  declare readonly lastError?: LlmError;
  /**
   * How far `runAgent` had come; present only when it threw this. Go on with
   * `runAgent(request, { resume: error.run })`: what it has paid for is not paid again. Neither
   * printed nor in JSON, because it holds the conversation.
   */
  declare readonly run?: AgentRunState;

  /** Made by the client; by hand only in tests of code that handles it. */
  constructor(details: LlmErrorDetails) {
    super(details.message, details.cause === undefined ? {} : { cause: details.cause });
    const shown = { ...details, retryable: details.retryable === true };
    // Absent rather than undefined, so that a printed error shows only what is known.
    for (const name of shownNames) {
      if (shown[name] !== undefined) Object.assign(this, { [name]: shown[name] });
    }
    for (const name of hiddenNames) {
      if (details[name] !== undefined) hide(this, name, details[name]);
    }
  }

  /** Always `LlmError`, also in code that shortens the names of classes. */
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

  /** The fields for a structured log; the cause and the stack are left out. */
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
/** They hold what a model wrote, or another error with a stack of its own. */
const hiddenNames = ['object', 'partialText', 'lastError'] as const;

function hide(error: object, name: string, value: unknown): void {
  Object.defineProperty(error, name, { value, configurable: true });
}

/** The thrown value, from now on with the run that it ended, if it can hold one. */
export function attachRun<Thrown>(thrown: Thrown, run: AgentRunState): Thrown {
  if (mayHold(thrown)) hide(thrown, 'run', run);
  return thrown;
}

/** Not what has a `run` of its own: that is its maker's. */
function mayHold(thrown: unknown): thrown is object {
  return mayBe(thrown) && Object.isExtensible(thrown) && !('run' in thrown);
}

// Registered, so that the errors of two copies of this package recognise each other.
const toolErrorBrand: unique symbol = Symbol.for('@model-gateway/sdk/ToolError');

/**
 * What a tool throws to tell the model what went wrong: its message becomes the tool's result. The
 * messages of all other errors are kept from the model, because they may hold what is not for it.
 */
export class ToolError extends Error {
  /** Always `ToolError`, also in code that shortens the names of classes. */
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

/** Whether a value can be one of them: here, since this file is apart from all others. */
function mayBe(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
