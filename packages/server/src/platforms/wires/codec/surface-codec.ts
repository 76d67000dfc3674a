import type { Carried, CarryName } from '../../../domain/carry.ts';
import type { Vector } from '../../../domain/vector.ts';
import type { Wire } from '../../../domain/wire.ts';
import type { ModelContent } from '../../model/content.ts';
import type { ModelRequest } from '../../model/model-request.ts';
import type { ReportedUsage } from '../../model/port.ts';
import type { Finish } from '../../statements/finish-reasons.ts';
import type { Encoded } from './encoded.ts';
import type { Fold, Tell } from './fold.ts';
import type { RelayCodec } from './relay.ts';

/** How one wire writes a request and reads an answer. It never sends. */
export interface SurfaceCodec {
  /** Absent of one whose requests are never relayed. */
  readonly wire?: Wire;
  /** Names of what it takes back of its messages; none where absent. */
  readonly carryNames?: readonly CarryName[];
  /** Absent where no request is sent as its caller wrote it. */
  readonly relay?: RelayCodec;
  encode(upstreamModel: string, request: ModelRequest): Encoded | Promise<Encoded>;
  /** Undefined for an answer that is none; never throws. */
  decode(answer: Answer, request: ModelRequest): Decoded | undefined;
  readUsage(body: unknown): ReportedUsage;
  /** Undefined for a wire that tells every answer whole. */
  readonly stream: StreamCodec | undefined;
}

/** How one wire streams. */
export interface StreamCodec {
  /** What a request says beside its body, to get a stream. */
  readonly fields: Readonly<Record<string, unknown>>;
  openFold(request: ModelRequest, tell: Tell): Fold;
}

/** An answer's own JSON. */
export type Answer = Readonly<Record<string, unknown>>;

/** What an answer says. */
export interface Decoded {
  readonly content: readonly ModelContent[];
  readonly finish: Finish;
  /** The platform's own word for it. */
  readonly finishRaw: string | undefined;
  readonly vectors?: readonly Vector[];
  readonly carried?: Carried | undefined;
}
