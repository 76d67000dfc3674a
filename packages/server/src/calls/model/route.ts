import type { Wire } from '../../domain/wire.ts';
import type { ModelPort } from '../../platforms/model/port.ts';
import type { ModelGuard } from '../../platforms/outage/guard.ts';

export interface ModelRoute {
  /** Undefined on platforms without projects. */
  readonly projectId: string | undefined;
  canStream(): boolean;
  /** Undefined where only a package knows. */
  wire(): Wire | undefined;
  /** Call once the money is held. */
  open(): GuardedModel;
}

/** Blocks models that keep failing. */
export interface GuardedModel {
  readonly port: ModelPort;
  readonly guard: ModelGuard;
}
