/**
 * A mistake in a fake client's script, or in what was asked of it: a script that is too short, a
 * step that does not fit, a request that the service would refuse, an assertion of a step that
 * failed (then it is the `cause`). Not an `LlmError`, so that code which handles those lets it pass
 * and the test fails.
 */
export class FakeScriptError extends Error {
  /** Always `FakeScriptError`, also in code that shortens the names of classes. */
  override get name(): string {
    return 'FakeScriptError';
  }
}
