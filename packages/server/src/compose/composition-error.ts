export class CompositionError extends Error {
  override readonly name = 'CompositionError';
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}
