import type { Proxies } from '../lib/proxy-address.ts';

/** Which requests are recorded. */
export interface Sampling {
  /** The share of those without a decision of their caller's, from 0 to 1. */
  readonly ratio: number;
  /** Whether a caller that says in its trace whether it is recorded decides. */
  readonly isParentBased: boolean;
}

/** Where spans go, and of which requests. */
export interface TracingConfig {
  /** Of the collector, with its path: spans are sent there as OTLP, in JSON. */
  readonly url: string;
  /** With every export: credentials, as a rule. */
  readonly headers: Readonly<Record<string, string>>;
  readonly sampling: Sampling;
  /** Whether failures are kept of other requests: then all are recorded until they have ended. */
  readonly keepFailures: boolean;
  /** How the service is named in traces. */
  readonly serviceName: string;
  /** What else is said of the process. */
  readonly attributes: Readonly<Record<string, string>>;
  /** Those of the environment; absent where it names none. */
  readonly proxies?: Proxies;
}
