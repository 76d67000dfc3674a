/** The values of Python text without any computation. */
export type PythonValue =
  | string
  | number
  | boolean
  | undefined
  | readonly PythonValue[]
  | PythonCall;

/** `Name(1, field='text')`, which is read and never called; a dict has the name `dict`. */
export interface PythonCall {
  readonly name: string;
  readonly values: readonly PythonValue[];
  readonly fields: ReadonlyMap<string, PythonValue>;
}

const blank = /[\s]+|#[^\n]*/y;
const quoted = /'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"/y;
const number = /-?\d+(?:\.\d+)?/y;
const word = /[A-Za-z_][\w.]*/y;
const field = /([A-Za-z_]\w*)=(?!=)/y;

const constants = new Map<string, boolean | undefined>([
  ['True', true],
  ['False', false],
  ['None', undefined],
]);

/**
 * Reads the value at a position in Python text: texts, numbers, lists, dicts and calls. Throws for
 * anything else. Each character is read once.
 */
export function readPythonValue(text: string, from: number): PythonValue {
  let at = from;
  return readValue();

  function readValue(): PythonValue {
    skipBlanks();
    const sign = text.charAt(at);
    if (sign === '[') return readList('[', ']');
    if (sign === '{') return readDict();
    if (sign === "'" || sign === '"') return readText();
    const digits = readMatch(number)?.[0];
    if (digits !== undefined) return Number(digits);
    const name = readMatch(word)?.[0];
    if (name === undefined) throw unexpected();
    if (constants.has(name)) return constants.get(name);
    // A name without a call, such as `datetime.timezone.utc`, has nothing to compare.
    return text.charAt(at) === '(' ? readCall(name) : { name, values: [], fields: new Map() };
  }

  function readList(open: string, close: string): readonly PythonValue[] {
    const values: PythonValue[] = [];
    readItems(open, close, () => values.push(readValue()));
    return values;
  }

  function readCall(name: string): PythonCall {
    const values: PythonValue[] = [];
    const fields = new Map<string, PythonValue>();
    readItems('(', ')', () => {
      const key = readMatch(field)?.[1];
      if (key === undefined) values.push(readValue());
      else fields.set(key, readValue());
    });
    return { name, values, fields };
  }

  function readDict(): PythonCall {
    const fields = new Map<string, PythonValue>();
    readItems('{', '}', () => {
      const key = readText();
      expect(':');
      fields.set(key, readValue());
    });
    return { name: 'dict', values: [], fields };
  }

  function readItems(open: string, close: string, readItem: () => void): void {
    expect(open);
    for (skipBlanks(); text.charAt(at) !== close; skipBlanks()) {
      readItem();
      skipBlanks();
      if (text.charAt(at) !== close) expect(',');
    }
    expect(close);
  }

  /** Adjacent texts are one. */
  function readText(): string {
    let part = readMatch(quoted);
    if (part === undefined) throw unexpected();
    let whole = '';
    for (; part !== undefined; part = readMatch(quoted)) {
      // Only comments have escapes such as \n, and those are not compared.
      whole += (part[1] ?? part[2] ?? '').replace(/\\(.)/g, '$1');
      skipBlanks();
    }
    return whole;
  }

  function skipBlanks(): void {
    while (readMatch(blank) !== undefined);
  }

  function expect(sign: string): void {
    if (text.charAt(at) !== sign) throw unexpected();
    at += sign.length;
  }

  function readMatch(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match === null) return undefined;
    at = pattern.lastIndex;
    return match;
  }

  function unexpected(): Error {
    const line = text.slice(0, at).split('\n').length;
    return new Error(
      `line ${line} is more than values: ${JSON.stringify(text.slice(at, at + 40))}`,
    );
  }
}
