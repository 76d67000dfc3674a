import { readFileSync } from 'node:fs';

/** What the process needs besides calls: the store, listeners, logs, connections that are idle. */
const otherDescriptors = 200;
/** A call has a connection to its caller and one to its platform. */
const descriptorsPerCall = 2;

/**
 * Why `limits.inFlight` is more than this process can serve at once; undefined when it is not, or
 * where the system does not say. ADR 0020.
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
    `limits.inFlight is ${inFlight}, ${descriptorsMax} open files are enough for ${callsMax}: ` +
    `raise them to ${needed} (ulimit -n), or lower limits.inFlight`
  );
}

/** Connections that the admin listener takes at once: operators and their machines. */
export const adminConnectionsMax = 50;

/**
 * How many connections callers may have at once, so that descriptors are left for what calls need
 * besides; undefined where the system does not say how many there are, or has too few to bound
 * anything. Half of what is free is always theirs, since no call is without one. ADR 0029.
 */
export function connectionsMaxFor(
  inFlight: number,
  read: () => string = readLimits,
): number | undefined {
  const descriptorsMax = descriptorsMaxOf(read);
  if (descriptorsMax === undefined) return undefined;
  const free = descriptorsMax - otherDescriptors;
  const most = Math.max(free - descriptorsPerCall * inFlight, Math.floor(free / 2));
  return most > 0 ? most : undefined;
}

function readLimits(): string {
  return readFileSync('/proc/self/limits', 'utf8');
}

function descriptorsMaxOf(read: () => string): number | undefined {
  let limits: string;
  try {
    limits = read();
  } catch {
    // Not a Linux: there is nothing to compare with.
    return undefined;
  }
  const found = /^Max open files\s+(\d+|unlimited)/m.exec(limits)?.[1];
  return found === undefined || found === 'unlimited' ? undefined : Number(found);
}
