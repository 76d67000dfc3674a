import type { Delta } from '../../model/content.ts';
import type { ReportedUsage } from '../../model/port.ts';

/** One event's own JSON. */
export type EventJson = Readonly<Record<string, unknown>>;

/** Hears of the pieces that an event brings. */
export type Tell = (delta: Delta) => void;

/**
 * What an event was:
 * - `more`: one among others;
 * - `end`: the last one of an answer;
 * - `failed`: the platform's word that it failed, be it the last event of an answer or a break.
 */
export type Step = 'more' | 'end' | { readonly failed: EventJson; readonly isLastEvent: boolean };

/** Puts the events of one answer together, as one wire has them. What it cannot read it skips. */
export interface Fold {
  /**
   * Takes the next event; `name` is empty for most. `text` is the JSON of the event, and empty for
   * one that differs from an earlier event only in the text of a delta.
   */
  read(event: EventJson, name: string, text: string): Step;
  /** Whether an event brings a piece of text, and nothing that the fold keeps as it is. */
  isDelta(event: EventJson): boolean;
  /** Whether it has been said why the model stopped: then the stream may end. */
  isFinished(): boolean;
  /** Whether anything of an answer has come: then the platform's word for its end is one. */
  isAnswer(): boolean;
  /** The answer as the wire would have given it at once; its counts are those of {@link final}. */
  answer(): EventJson;
  /** Counts that are final, or none. */
  final(): ReportedUsage;
  /** The counts that were stated so far; undefined for none. */
  stated(): ReportedUsage | undefined;
}
