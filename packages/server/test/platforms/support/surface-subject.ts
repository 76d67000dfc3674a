import type { AttemptOutcome, Platform } from '../../../src/platforms/model/port.ts';
import type { SurfaceModels, SurfaceParts } from '../../../src/platforms/wires/surface.ts';
import type { Cut, WireEvent } from './stream-events.ts';

/** Ways in which an answer ends. */
export type Finish = 'stop' | 'length' | 'content-filter' | 'tool-calls';

/** What a model says, whichever wire carries it. */
export interface AnswerParts {
  readonly text?: string;
  readonly toolCalls?: readonly { readonly name: string; readonly arguments: string }[];
  readonly finish?: Finish;
  /** Counts, each of them anything. */
  readonly usage?: { readonly input: unknown; readonly output: unknown };
  /** Fields of the answer that replace others. */
  readonly extra?: Fields;
}

type Fields = Readonly<Record<string, unknown>>;

/** One wire, and a platform that speaks it: what the conformance suite runs over. */
export interface SurfaceSubject {
  readonly name: string;
  platformAt(url: string): Platform;
  /** Models of this surface alone. */
  modelsOf(parts: SurfaceParts): SurfaceModels;
  /** The same answer as it comes, each text cut into pieces. */
  events(answer: Fields, cut: Cut): readonly WireEvent[];
  /**
   * An answer as the wire's own documentation writes it: of "Hello there.", with 19 tokens in, 4 of
   * them cached, and 10 out, 3 of them reasoning, unless told otherwise. Tool calls are `call_0`…
   */
  answer(parts: AnswerParts): Fields;
  /** The wire's word for each end. */
  readonly finishWords: Readonly<Record<Finish, string>>;
  /** The least that is an answer, which says "hi"; and how it ends. */
  readonly least: { readonly fields: Fields; readonly finish: string };
  /** Fields that make an answer unusable, in words. */
  readonly broken: Readonly<Record<string, Fields>>;
  /** False where the wire has no stop sequences. */
  readonly hasStop: boolean;
  /** What the arguments of a call are read as, where the wire has a value in their place. */
  readonly inputOf?: (text: string) => string;
  /** How all of its answers begin, except objects. */
  readonly thought?: Pick<Extract<AttemptOutcome, { kind: 'answered' }>, 'content' | 'carried'>;
}
