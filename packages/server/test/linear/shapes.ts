/** A text of about this many characters. */
export type Shape = (length: number) => string;

export type Shapes = Readonly<Record<string, Shape>>;

/** Pieces of text that a shape repeats, as a JSON string writes them. */
const units: Readonly<Record<string, string>> = {
  letters: 'a',
  'letters e': 'e',
  digits: '1',
  blanks: ' ',
  points: '.',
  commas: ',',
  colons: ':',
  dashes: '-',
  slashes: '/',
  'equals signs': '=',
  'percent signs': '%2f',
  'at signs': '@',
  stars: '*',
  'dollar signs': '$a ',
  'single quotes': "'",
  backticks: '```',
  brackets: '[{',
  'closing brackets': ']}',
  parentheses: '((',
  'angle brackets': '<a>',
  ampersands: '&amp;',
  words: 'word ',
  'words with points': 'a.b, ',
  'words with colons': 'a: ',
  numbers: '1e5 ',
  'digits and letters e': '1e',
  fractions: '0.5,',
  'long numbers': `${'1'.repeat(390)}.5 `,
  base64: 'A1+/',
  addresses: 'http://a/?b=c#d ',
  'data addresses': 'data:image/png;base64,',
  'e-mail addresses': 'a@b.c ',
  'looks of keys': 'sk-aaaaaaa ',
  'words before keys': 'Bearer ',
  'what a usage type has': '-mantle-a',
  'percent and digits': '5% ',
  'letters of two bytes': 'é',
  'letters that grow': 'ﬃ',
  syllables: '각',
  'marks on letters': 'e\u0301',
  emoji: '😀',
};

/** The same for pieces that only a JSON string has to escape. */
const escapes: Readonly<Record<string, string>> = {
  quotes: '\\"',
  backslashes: '\\\\',
  'backslashes and quotes': '\\\\\\"',
  'line feeds': '\\n',
  'ends of lines': '\\r\\n',
  tabs: '\\t',
  NULs: '\\u0000',
  'escaped letters': '\\u0061',
  'escaped emoji': '\\ud83d\\ude00',
  'escaped slashes': '\\/',
  'JSON in JSON': '{\\"a\\":[1]},',
  'numbers in quotes': '\\"1e5\\",',
  'events in JSON': 'data: {}\\n\\n',
};

/** Texts, as a JSON string writes them, without its quotes. */
export const strings: Shapes = mapped({ ...units, ...escapes }, repeated);

const padding = 'a'.repeat(20);

const member = (index: number) => `"${padding}${index}":1`;

/** JSON values other than strings: the maximum, and more, which a scan rejects. */
const values: Shapes = {
  'a long number': repeated('1'),
  'a long fraction': (length) => `0.${'1'.repeat(length)}`,
  'a long exponent': (length) => `1e${'1'.repeat(length)}`,
  'many minus signs': repeated('-'),
  ...listsOf({
    'small numbers': '1',
    'numbers with exponents': '1e5',
    'numbers of 400 characters': `0.${'1'.repeat(398)}`,
    'numbers of 24 characters': '1.2345678901234567890123',
    'short texts': '"a"',
    'texts of 24 characters': `"${padding}aa"`,
    'escaped texts': `"${'\\u0061'.repeat(4)}"`,
    'empty lists': '[]',
    'empty objects': '{}',
    'objects of one field': '{"a":"aaaaaaaaaaaaaaaaaaaaaaaa"}',
    'text parts': '{"type":"text","text":"aaaaaaaaaaaaaaaa"}',
    messages: '{"role":"user","content":"aaaaaaaaaaaaaaaa"}',
    'objects of 60 levels': `${'{"a":'.repeat(59)}1${'}'.repeat(59)}`,
    'lists of 60 levels': `${'['.repeat(59)}1${']'.repeat(59)}`,
    'words of JSON': 'true,false,null',
    'values with blanks': `\n${' '.repeat(60)}1${' '.repeat(60)}`,
  }),
  'objects of different shapes': listed((index) => `{${member(index)}}`, '[]'),
  'an object of many names': listed(member, '{}'),
  'many short names': listed((index) => `"a${index}":1`, '{}'),
  'names of digits': listed((index) => `"${index}":"${padding}"`, '{}'),
  'escaped names': listed((index) => `"\\u0061${padding}${index}":1`, '{}'),
  'names that begin alike': listed((index) => `"${'a'.repeat(200)}${index}":1`, '{}'),
  'one name twice': listed((index) => member(index - (index % 2)), '{}'),
  'the last name twice': (length) => {
    const object = listed(member, '{}')(length);
    return `${object.slice(0, -1)},${member(0)}}`;
  },
  'a long name': (length) => `{"${'a'.repeat(length)}":1}`,
  'a long name twice': (length) => {
    const name = `"${'a'.repeat(length / 2)}":1`;
    return `{${name},${name}}`;
  },
  'objects in objects': listed((index) => `"a${index}":{"b":"${padding}","c":{}}`, '{}'),
  'a schema of many fields': (length) =>
    `{"type":"object","properties":${listed((index) => `"a${index}":{"type":"string"}`, '{}')(length)}}`,
};

/** Bodies that are not JSON. */
const broken: Shapes = {
  'lists without an end': repeated('['),
  'objects without an end': repeated('{"a":'),
  'ends without a beginning': repeated(']'),
  'closing braces': repeated('}'),
  'nothing but blanks': repeated(' '),
  'nothing but line feeds': repeated('\n'),
  'nothing but commas': repeated(','),
  'nothing but colons': repeated(':'),
  'nothing but quotes': repeated('"'),
  'nothing but backslashes': repeated('\\'),
  'nothing but letters': repeated('a'),
  'a text without an end': (length) => `"${'a'.repeat(length)}`,
  'quotes without an end': (length) => `"${'\\"'.repeat(length / 2)}`,
  'values in a row': repeated('1 '),
  'texts in a row': repeated('"a" '),
};

/** Every shape of a JSON value, and invalid text in its place. */
export const json: Shapes = {
  ...mapped(strings, (shape) => (length) => `"${shape(length)}"`, 'a text of '),
  ...values,
  ...broken,
};

/** Texts without a format: a line or piece of a format, repeated. */
export const raw: Shapes = {
  ...mapped(units, repeated),
  ...mapped(
    {
      'line feeds': '\n',
      'carriage returns': '\r',
      'empty lines': '\r\n',
      tabs: '\t',
      NULs: '\0',
      quotes: '"',
      'two quotes': '""',
      backslashes: '\\',
      'quoted cells': '"a","b"\n',
      'quotes and line feeds': '"\n',
      'lines of cells': 'a,b,c\n',
      'lines of one letter': 'a\n',
      'lines that end in blanks': 'a  \n',
      'lines of keys': 'a: b\n',
      'lines of items': '- a\n',
      'lines of nested keys': 'a:\n  b: 1\n',
      comments: '# a\n',
      'lines of colons': ':\n',
      'events of data': 'data: {}\n\n',
      'lines of data': 'data: {}\n',
      'events without data': 'event: a\n\n',
      'comments of a stream': ': a\n\n',
      'ids of events': 'id: 1\nretry: 1\n\n',
      'ends of a stream': 'data: [DONE]\n\n',
      anchors: '&a [*a]\n',
      'byte order marks': '\ufeff',
    },
    repeated,
  ),
};

/** The content of a place without a shape. */
const plain = { '"#"': '1', '@': 'a', '~': '{}' } as const;

/**
 * The shapes in every place of a text: `"#"` is a value, `@` a text, and `~` JSON within a text.
 */
export function inPlaces(written: string): Shapes {
  return {
    ...placed(written, '"#"', json),
    ...placed(written, '@', strings),
    ...placed(written, '~', json, (text) => JSON.stringify(text).slice(1, -1)),
  };
}

function placed(
  written: string,
  place: keyof typeof plain,
  shapes: Shapes,
  write = (text: string) => text,
): Shapes {
  if (!written.includes(place)) return {};
  let around = written;
  for (const [other, value] of Object.entries(plain)) {
    if (other !== place) around = around.replaceAll(other, value);
  }
  const [before = '', after = ''] = around.split(place);
  return mapped(
    shapes,
    (shape) => (length) => `${before}${write(shape(length))}${after}`,
    place === '~' ? 'in a text: ' : '',
  );
}

/** The text, as often as it fits. */
export function repeated(unit: string): Shape {
  return (length) => unit.repeat(Math.max(1, Math.floor(length / unit.length)));
}

function listsOf(items: Readonly<Record<string, string>>): Shapes {
  return mapped(items, (item) => listed(() => item, '[]'), 'a list of ');
}

/** As many items as fit, between two brackets. */
function listed(item: (index: number) => string, [open, close]: string): Shape {
  return (length) => {
    const items: string[] = [];
    for (let left = length; left > 0; left -= (items.at(-1)?.length ?? 0) + 1) {
      items.push(item(items.length));
    }
    return `${open}${items.join(',')}${close}`;
  };
}

function mapped<T>(all: Readonly<Record<string, T>>, make: (one: T) => Shape, prefix = ''): Shapes {
  const entries = Object.entries(all).map(([name, one]) => [prefix + name, make(one)] as const);
  return Object.fromEntries(entries);
}
