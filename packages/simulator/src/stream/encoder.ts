import { accountId, type PlatformErrorParts } from '../platform-error.ts';
import type { TokenCounts } from '../usage.ts';
import type { Beat } from './beats.ts';

/** One event before its bytes: the name of it, where the surface has names, and its data. */
export interface StreamEvent {
  readonly name?: string;
  /** One line. */
  readonly data: string;
}

/** Writes one streamed answer as a surface does; it is asked in the order of its functions. */
export interface StreamEncoder {
  begin(): readonly StreamEvent[];
  /** `soFar` counts what was used with this delta. */
  delta(beat: Beat, soFar: () => TokenCounts): readonly StreamEvent[];
  /** The ordinary end: each of them is a step. */
  end(): readonly StreamEvent[];
  /** In the place of the rest. */
  fail(soFar: TokenCounts): readonly StreamEvent[];
}

/** What breaks a stream with an event of its own. */
export const streamError: PlatformErrorParts = {
  status: 529,
  code: 'server_error',
  type: 'overloaded_error',
  message: `The model is overloaded. The stream of account ${accountId} was broken off.`,
};
