/** A command that was given wrongly, or a configuration that cannot be used: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
