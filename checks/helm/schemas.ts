import { endOf } from '../../harness/process.ts';

/** From the oldest Kubernetes that the chart supports to the newest that the validator supports. */
const versions = ['1.30', '1.31', '1.32', '1.33', '1.34', '1.35', '1.36', '1.37'];

/** Objects of kinds outside of Kubernetes itself, for which the validator has no schemas. */
const unknownKinds = /^WARN \S+ Couldn't find schema for kind (\w+) with api version (\S+) /;

/** A validator's results for files of manifests. */
export interface Verdict {
  readonly problems: readonly string[];
  /** The number of valid objects, over all versions. */
  readonly passed: number;
  /** The objects without a schema, by version and kind. */
  readonly unknown: readonly string[];
}

/** Validates files against the schemas of Kubernetes, strictly: no additional field is allowed. */
export async function validate(python: string, files: readonly string[]): Promise<Verdict> {
  const output = await Promise.all(
    versions.map(async (version) => {
      const argv = ['-m', 'kubernetes_validate', '--strict', '-k', version, ...files];
      const { code, output } = await endOf(python, argv);
      const lines = output.trim().split('\n');
      return code === 0 ? lines : [...lines, `it ended with ${code}`];
    }),
  );
  const lines = output.flat();
  const unknown = lines.flatMap((line) => {
    const [, kind, version] = unknownKinds.exec(line) ?? [];
    return kind === undefined ? [] : `${version} ${kind}`;
  });
  return {
    problems: lines.filter((line) => !line.startsWith('INFO ') && !unknownKinds.test(line)),
    passed: lines.filter((line) => line.startsWith('INFO ')).length,
    unknown: [...new Set(unknown)].toSorted(),
  };
}
