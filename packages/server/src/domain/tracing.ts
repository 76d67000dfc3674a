import type { Proxies } from '../lib/proxy-address.ts';

export interface Sampling {
  /** From 0 to 1, for requests without their caller's decision. */
  readonly ratio: number;
  readonly isParentBased: boolean;
}

export interface TracingConfig {
  readonly url: string;
  /** Usually credentials. */
  readonly headers: Readonly<Record<string, string>>;
  readonly sampling: Sampling;
  /** Includes unsampled requests, so all requests are recorded until they end. */
  readonly keepFailures: boolean;
  readonly serviceName: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly proxies?: Proxies;
}
