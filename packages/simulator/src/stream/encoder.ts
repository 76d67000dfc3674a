import { accountId, type PlatformErrorParts } from '../lib/platform-error.ts';
import type { TokenCounts } from '../model/usage.ts';
import type { StreamSegment } from './segments.ts';

export interface StreamEvent {
  readonly name?: string;
  readonly data: string;
}

/** Called in the order of its functions. */
export interface StreamEncoder {
  begin(): readonly StreamEvent[];
  /** `soFar` includes this delta. */
  delta(segment: StreamSegment, soFar: () => TokenCounts): readonly StreamEvent[];
  end(): readonly StreamEvent[];
  fail(soFar: TokenCounts): readonly StreamEvent[];
}

export const streamError: PlatformErrorParts = {
  status: 529,
  code: 'server_error',
  type: 'overloaded_error',
  message: `The model is overloaded. The stream of account ${accountId} was broken off.`,
};
