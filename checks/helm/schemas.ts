import { endOf } from '../../harness/process.ts';

/** From the oldest Kubernetes that the chart takes to the newest that the validator knows. */
const versions = ['1.30', '1.31', '1.32', '1.33', '1.34', '1.35', '1.36', '1.37'];

/** Objects of others than Kubernetes itself, of which the validator has no schemas. */
const unknownKinds = /^WARN \S+ Couldn't find schema for kind (\w+) with api version (\S+) /;

/** What a validator found in files of manifests. */
export interface Verdict {
  readonly problems: readonly string[];
  /** How many objects are as the schemas say, over all versions. */
  readonly passed: number;
  /** The objects that it has no schema of, by version and kind. */
  readonly unknown: readonly string[];
}

/** Holds files against the schemas of Kubernetes, strictly: nothing may stand there besides. */
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
