export type Environment = Readonly<Record<string, string | undefined>>;

/** The text and its source, or the reason for its absence. */
export type Variable =
  | { readonly text: string; readonly from: string }
  | { readonly text?: undefined; readonly isSet: boolean; readonly problem: string };

/** No problem shows a part of a value. */
export type Variables = (name: string) => Variable;

/**
 * Without `NAME`, `NAME_FILE` names a file with the text, the form of mounted secrets. Its last
 * line end is dropped. An empty variable counts as missing: shells use it for "not set".
 */
export function createVariables(parts: {
  readonly environment: Environment;
  readonly readFile: (path: string) => string;
}): Variables {
  const { environment, readFile } = parts;
  return (name) => {
    const own = environment[name];
    const fileName = `${name}_FILE`;
    const path = environment[fileName] ?? '';
    if (path === '') {
      if (own !== undefined && own !== '') return { text: own, from: name };
      const what = own === undefined ? 'not set' : 'empty';
      return {
        isSet: false,
        problem: `the environment variable ${name} is ${what}; set it, or set ${fileName} to the path of a file with the value`,
      };
    }
    if (own !== undefined && own !== '') {
      return wrong(`${name} and ${fileName} are both set; unset one of them`);
    }
    try {
      const text = readFile(path).replace(/\r?\n$/, '');
      return text === ''
        ? wrong(`${fileName}: ${path} is empty`)
        : { text, from: `${fileName} (${path})` };
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
      return wrong(`${fileName}: ${path} cannot be read (${code})`);
    }
  };
}

function wrong(problem: string): Variable {
  return { isSet: true, problem };
}
