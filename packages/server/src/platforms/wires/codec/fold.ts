import type { Delta } from '../../model/content.ts';
import type { ReportedUsage } from '../../model/port.ts';

export type EventJson = Readonly<Record<string, unknown>>;

export type EmitDelta = (delta: Delta) => void;

/**
 * `more`: others follow; `failed`: the platform reports failure, as a response's last event or as a
 * break.
 */
export type Step = 'more' | 'end' | { readonly failed: EventJson; readonly isLastEvent: boolean };

/** Skips what it cannot read. */
export interface Fold {
  /**
   * `name` is usually empty. `text` is the event's JSON, empty when only a delta's text differs
   * from an earlier event.
   */
  read(event: EventJson, name: string, text: string): Step;
  isDelta(event: EventJson): boolean;
  /** A stop reason has arrived, so the stream may end. */
  isFinished(): boolean;
  /** Content has arrived, so the platform's end word is valid. */
  isAnswer(): boolean;
  /** The unstreamed response; its counts are those of {@link final}. */
  answer(): EventJson;
  final(): ReportedUsage;
  reportedSoFar(): ReportedUsage | undefined;
}
