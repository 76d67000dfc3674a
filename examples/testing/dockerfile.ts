/** One instruction of a Dockerfile, for example `COPY a b`. */
export interface Instruction {
  readonly name: string;
  readonly text: string;
}

/** The stages of a Dockerfile, each from its FROM on. */
export function stagesOf(dockerfile: string): readonly (readonly Instruction[])[] {
  const stages: Instruction[][] = [];
  const lines = dockerfile.replaceAll(/\\\n/g, ' ').split('\n');
  for (const line of lines) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const [name = '', ...words] = line.split(' ');
    if (name === 'FROM') stages.push([]);
    stages.at(-1)?.push({ name, text: words.join(' ').trim() });
  }
  return stages;
}

/** The texts of every instruction of a name. */
export function textsOf(stage: readonly Instruction[], name: string): readonly string[] {
  return stage.filter((one) => one.name === name).map(({ text }) => text);
}

/** The words of an instruction in exec form, which no shell reads; throws for the other form. */
export function execForm(text: string): readonly string[] {
  const words: unknown = JSON.parse(text);
  if (Array.isArray(words)) return words.map(String);
  throw new Error(`${text} is not in exec form`);
}

/**
 * The sources and the target of a COPY from the repository; undefined for another stage's files.
 */
export function copyOf(text: string): { from: readonly string[]; to: string } | undefined {
  const words = text.split(' ');
  if (words[0]?.startsWith('--from=')) return undefined;
  return { from: words.slice(0, -1), to: words.at(-1) ?? '' };
}

/**
 * Whether a path reaches the builder. It supports the syntax of our .dockerignore: the last line
 * that matches a path, or a folder above it, decides.
 */
export function reachesBuilder(dockerignore: string, path: string): boolean {
  const lines = dockerignore.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const parts = path.split('/');
  const paths = parts.map((_, index) => parts.slice(0, index + 1).join('/'));
  let reaches = true;
  for (const line of lines) {
    const pattern = line
      .replace(/^!/, '')
      .replaceAll('.', '\\.')
      .replaceAll('**/', '(?:.*/)?')
      .replaceAll(/(?<!\.)\*/g, '[^/]*');
    if (paths.some((one) => new RegExp(`^${pattern}$`).test(one))) reaches = line.startsWith('!');
  }
  return reaches;
}
