import type { Wire } from '../../domain/wire.ts';
import type { ModelPort } from '../../platforms/model/port.ts';
import type { ModelBreaker } from '../../platforms/outage/circuit-breakers.ts';

export interface ModelRoute {
  readonly projectId: string | undefined;
  canStream(): boolean;
  wire(): Wire | undefined;
  /** Call once the money is reserved. */
  open(): RoutedModel;
}

export interface RoutedModel {
  readonly port: ModelPort;
  readonly breaker: ModelBreaker;
}
