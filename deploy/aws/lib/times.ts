import { defaultLimits } from '../../../packages/contract/src/limits.ts';
import type { Deployment } from './deployment/properties.ts';

/** Times that must agree between the service, its task and its front. */
export interface Times {
  /** How long `/health` returns "draining" before the listener closes. */
  readonly stopDelayMs: number;
  /** How long the service then waits for running calls. */
  readonly stopMs: number;
  /** From SIGTERM to the kill. */
  readonly stopTimeoutSeconds: number;
  /** How long the balancer leaves connections to a removed target. */
  readonly deregistrationSeconds: number;
  /** The service's own time for a request; undefined for its default. */
  readonly gatewayMs: number | undefined;
}

/** The latest kill by Fargate. */
export const stopTimeoutSecondsMax = 120;

/** After `stopMs`, for a store that was away and for the end of the process. */
export const stopRestMs = 4_000;

/** The maximum of the REST API's integration, unless the account buys more at the price of rate. */
export const integrationMs = 29_000;

/** For an idle connection: above a call's 29 s, and below the service's own keep-alive, 75 s. */
export const idleSeconds = 60;

/** The health check of the balancer: it detects a stopping replica within `stopDelayMs`. */
export const health = { intervalSeconds: 5, timeoutSeconds: 3, failures: 2 } as const;

/** The times of a deployment: from its properties, or else by the needs of its streams. */
export function timesOf(deployment: Deployment): Times {
  const { streaming, front, stopTimeoutSeconds } = deployment;
  const limits = deployment.gateway.limits ?? {};
  const own = (name: string) => (typeof limits[name] === 'number' ? limits[name] : undefined);
  return {
    stopDelayMs: own('stopDelayMs') ?? health.intervalSeconds * health.failures * 1_000,
    stopMs: own('stopMs') ?? (streaming ? 100_000 : defaultLimits.stopMs),
    stopTimeoutSeconds: stopTimeoutSeconds ?? (streaming ? stopTimeoutSecondsMax : 45),
    deregistrationSeconds: streaming ? 110 : 30,
    // Half a second before the API's, to give callers the service's own 504.
    gatewayMs: own('gatewayMs') ?? (front === 'rest-api' ? integrationMs - 500 : undefined),
  };
}
