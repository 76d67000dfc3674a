import type { AttemptOutcome, Platform } from '../../../src/platforms/model/port.ts';
import type { SurfaceModels, SurfaceParts } from '../../../src/platforms/wires/surface.ts';
import type { Cut, WireEvent } from './stream-events.ts';

/** Ways in which a response ends. */
export type Finish = 'stop' | 'length' | 'content-filter' | 'tool-calls';

/** A model's output, in any wire format. */
export interface AnswerParts {
  readonly text?: string;
  readonly toolCalls?: readonly { readonly name: string; readonly arguments: string }[];
  readonly finish?: Finish;
  /** Counts, each of them anything. */
  readonly usage?: { readonly input: unknown; readonly output: unknown };
  /** Fields of the response that replace others. */
  readonly extra?: Fields;
}

type Fields = Readonly<Record<string, unknown>>;

/** One wire format, and a platform with it: the subject of the conformance suite. */
export interface SurfaceSubject {
  readonly name: string;
  platformAt(url: string): Platform;
  /** Models with only this surface. */
  modelsOf(parts: SurfaceParts): SurfaceModels;
  /** The same response as a stream, each text cut into pieces. */
  events(answer: Fields, cut: Cut): readonly WireEvent[];
  /**
   * A response as in the wire format's own documentation. By default, it is "Hello there." with 19
   * tokens in, 4 of them cached, and 10 out, 3 of them reasoning. Tool calls are `call_0`…
   */
  answer(parts: AnswerParts): Fields;
  /** The wire format's word for each end. */
  readonly finishWords: Readonly<Record<Finish, string>>;
  /** The smallest response, which contains "hi"; and how it ends. */
  readonly least: { readonly fields: Fields; readonly finish: string };
  /** Fields that make a response unusable, in words. */
  readonly broken: Readonly<Record<string, Fields>>;
  /** False if the wire format has no stop sequences. */
  readonly hasStop: boolean;
  /** The parsed arguments of a call, if the wire format has a value in their place. */
  readonly inputOf?: (text: string) => string;
  /** The beginning of all its responses, except objects. */
  readonly thought?: Pick<Extract<AttemptOutcome, { kind: 'answered' }>, 'content' | 'carried'>;
}
