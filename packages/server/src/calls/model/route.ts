import type { Wire } from '../../domain/wire.ts';
import type { ModelPort } from '../../platforms/model/port.ts';
import type { ModelGuard } from '../../platforms/outage/guard.ts';

export interface ModelRoute {
  readonly projectId: string | undefined;
  canStream(): boolean;
  wire(): Wire | undefined;
  /** Call once the money is held. */
  open(): GuardedModel;
}

export interface GuardedModel {
  readonly port: ModelPort;
  readonly guard: ModelGuard;
}
