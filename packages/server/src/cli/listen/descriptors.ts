import { readFileSync } from 'node:fs';

const otherDescriptors = 200;
/** One to the caller and one to the platform. */
const descriptorsPerCall = 2;

/**
 * Undefined if `limits.inFlight` fits this process, or if the system does not report its limit. ADR
 * 0020.
 */
export function descriptorWarning(
  inFlight: number,
  read: () => string = readLimits,
): string | undefined {
  const descriptorsMax = descriptorsMaxOf(read);
  if (descriptorsMax === undefined) return undefined;
  const callsMax = Math.max(
    0,
    Math.floor((descriptorsMax - otherDescriptors) / descriptorsPerCall),
  );
  if (inFlight <= callsMax) return undefined;
  const needed = inFlight * descriptorsPerCall + otherDescriptors;
  return (
    `limits.inFlight is ${inFlight}, but ${descriptorsMax} open files support only ${callsMax}; ` +
    `raise the limit to ${needed} (ulimit -n), or lower limits.inFlight`
  );
}

export const adminConnectionsMax = 50;

/**
 * Reserves descriptors for the calls; at least half of the free ones are for callers. Undefined if
 * the system reports no limit, or if too few are free. ADR 0029.
 */
export function connectionsMaxFor(
  inFlight: number,
  read: () => string = readLimits,
): number | undefined {
  const descriptorsMax = descriptorsMaxOf(read);
  if (descriptorsMax === undefined) return undefined;
  const free = descriptorsMax - otherDescriptors;
  const connectionsMax = Math.max(free - descriptorsPerCall * inFlight, Math.floor(free / 2));
  return connectionsMax > 0 ? connectionsMax : undefined;
}

function readLimits(): string {
  return readFileSync('/proc/self/limits', 'utf8');
}

function descriptorsMaxOf(read: () => string): number | undefined {
  let limits: string;
  try {
    limits = read();
  } catch {
    // Only Linux reports a limit.
    return undefined;
  }
  const limit = /^Max open files\s+(\d+|unlimited)/m.exec(limits)?.[1];
  return limit === undefined || limit === 'unlimited' ? undefined : Number(limit);
}
