/**
 * A mistake in a fake client's script or in its use: a missing or unfitting step, an invalid
 * request, or a step's failed assertion (then the `cause`). Code that handles `LlmError`s must not
 * catch it, so the test fails.
 */
export class FakeScriptError extends Error {
  /** Always `FakeScriptError`, even if a minifier shortens class names. */
  override get name(): string {
    return 'FakeScriptError';
  }
}
