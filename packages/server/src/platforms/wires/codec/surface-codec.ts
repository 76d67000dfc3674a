import type { CarriedOutput, CarryName } from '../../../domain/carry.ts';
import type { Vector } from '../../../domain/vector.ts';
import type { Wire } from '../../../domain/wire.ts';
import type { ModelContent } from '../../model/content.ts';
import type { ModelRequest } from '../../model/model-request.ts';
import type { ReportedUsage } from '../../model/port.ts';
import type { Finish } from '../../statements/finish-reasons.ts';
import type { Encoded } from './encoded.ts';
import type { EmitDelta, Fold } from './fold.ts';
import type { RelayCodec } from './relay.ts';

/** Never sends. */
export interface SurfaceCodec {
  readonly wire?: Wire;
  readonly carryNames?: readonly CarryName[];
  readonly relay?: RelayCodec;
  encode(upstreamModel: string, request: ModelRequest): Encoded | Promise<Encoded>;
  /** Undefined for an invalid response; never throws. */
  decode(answer: Answer, request: ModelRequest): Decoded | undefined;
  readUsage(body: unknown): ReportedUsage;
  readonly stream: StreamCodec | undefined;
}

export interface StreamCodec {
  readonly fields: Readonly<Record<string, unknown>>;
  openFold(request: ModelRequest, emit: EmitDelta): Fold;
}

export type Answer = Readonly<Record<string, unknown>>;

export interface Decoded {
  readonly content: readonly ModelContent[];
  readonly finish: Finish;
  readonly finishRaw: string | undefined;
  readonly vectors?: readonly Vector[];
  readonly carried?: CarriedOutput | undefined;
}
