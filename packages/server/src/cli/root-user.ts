import process from 'node:process';

/** Undefined for a user without rights, and on systems without root. */
export function rootWarning(userId: number | undefined = process.geteuid?.()): string | undefined {
  if (userId !== 0) return undefined;
  return (
    'the service runs as root and needs no root rights: start it as a user of its own, which may ' +
    'write the folder of a SQLite store and nothing else (docs/operations.md, "As a service")'
  );
}
