// Registered, so that the errors of two copies of this package recognise each other.
const toolErrorBrand: unique symbol = Symbol.for('@model-gateway/sdk/ToolError');

/**
 * What a tool throws to tell the model what went wrong: its message becomes the tool's result. The
 * messages of all other errors are kept from the model, because they may hold what is not for it.
 */
export class ToolError extends Error {
  /** Always `ToolError`, also in code that shortens the names of classes. */
  override get name(): string {
    return 'ToolError';
  }

  /** Marks the class across copies of this package; `ToolError.is` reads it. */
  get [toolErrorBrand](): true {
    return true;
  }

  /** Whether a caught value is a `ToolError`, of this copy of the package or of another. */
  static is(error: unknown): error is ToolError {
    return typeof error === 'object' && error !== null && toolErrorBrand in error;
  }
}
