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
  read: () => string = () => readFileSync('/proc/self/limits', 'utf8'),
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
