import type { Deadline } from '../../lib/deadline.ts';
import type { CallError } from './call-error.ts';
import type { CallStream } from './call-stream.ts';
import type { Candidate } from './candidate.ts';

export interface RunningCall {
  deadline: Deadline;
  readonly upstream: AbortController;
  readonly early: EarlyEnd;
  candidate: Candidate;
  heldPicoUsd: bigint;
  requestId: string | undefined;
  stream: CallStream | undefined;
}

interface EarlyEnd {
  error(): CallError | undefined;
  onFire(run: (error: CallError) => void): void;
  close(): void;
}
