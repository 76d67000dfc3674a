/** Wrong usage, or an unusable configuration: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
