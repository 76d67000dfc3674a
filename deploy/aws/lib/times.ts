import { defaultLimits } from '../../../packages/contract/src/limits.ts';
import type { Deployment } from './deployment/properties.ts';

/** Times that have to agree between the service, its task and what is in front of it. */
export interface Times {
  /** How long `/health` says "draining" before the listener closes. */
  readonly stopDelayMs: number;
  /** How long running calls are waited for then. */
  readonly stopMs: number;
  /** From SIGTERM to the kill. */
  readonly stopTimeoutSeconds: number;
  /** How long the balancer leaves connections to a target that goes. */
  readonly deregistrationSeconds: number;
  /** The service's own time for a request; undefined for its default. */
  readonly gatewayMs: number | undefined;
}

/** Fargate kills after this at the latest. */
export const stopTimeoutSecondsMax = 120;

/** After `stopMs` a store that was away is waited for, and the process ends. */
export const stopRestMs = 4_000;

/** Of the REST API's integration: the most, unless the account buys more at the price of rate. */
export const integrationMs = 29_000;

/** Of an idle connection: above a call's 29 s, and below the service's own keep-alive, 75 s. */
export const idleSeconds = 60;

/** The health check of the balancer: a replica that stops is seen within `stopDelayMs`. */
export const health = { intervalSeconds: 5, timeoutSeconds: 3, failures: 2 } as const;

/** The times of a deployment: what it says, else what its streams need. */
export function timesOf(deployment: Deployment): Times {
  const { streaming, front, stopTimeoutSeconds } = deployment;
  const limits = deployment.gateway.limits ?? {};
  const own = (name: string) => (typeof limits[name] === 'number' ? limits[name] : undefined);
  return {
    stopDelayMs: own('stopDelayMs') ?? health.intervalSeconds * health.failures * 1_000,
    stopMs: own('stopMs') ?? (streaming ? 100_000 : defaultLimits.stopMs),
    stopTimeoutSeconds: stopTimeoutSeconds ?? (streaming ? stopTimeoutSecondsMax : 45),
    deregistrationSeconds: streaming ? 110 : 30,
    // Half a second before the API's, so that callers get the service's own 504.
    gatewayMs: own('gatewayMs') ?? (front === 'rest-api' ? integrationMs - 500 : undefined),
  };
}
