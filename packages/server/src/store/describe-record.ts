import { compiled, literalOf, pathTo } from './describe.ts';
import { type Description, type Field, fieldsOf, type PartTypes } from './description.ts';

/** Places of 8 bytes in memory that two threads share: the same memory twice. */
export interface Places {
  readonly numbers: Float64Array;
  readonly bigs: BigInt64Array;
}

/** The texts of records that follow each other, and how far they have been read. */
export interface Texts {
  readonly all: string;
  at: number;
}

/** Writes values into places, and reads them there. */
export interface RecordForm<Value> {
  /** How many places a value takes. */
  readonly width: number;
  /**
   * Writes a value, but for its texts: it answers them, one behind the other. Undefined for a value
   * that such a record cannot hold; what was written of it means nothing.
   */
  write(value: Value, places: Places, at: number): string | undefined;
  /** Reads what was written; the texts from where the record before has left them. */
  read(places: Places, at: number, texts: Texts): Value;
}

/** A record of what is described so; its code is made once, as that of a packer. */
export function createRecordForm<Value>(
  describe: Description<Value, PartTypes>,
): RecordForm<Value> {
  const fields = fieldsOf(describe);
  const given = { known: fields.map(({ known }) => known), toText, fromText, jsonOf };
  const parts = fields.map(partOf);
  const writes = parts.map(({ write }) => write).join('\n');
  // The texts are taken in the order in which they were written.
  const reads = parts.map(({ read }, at) => `const value${at} = ${read};`).join('\n');
  const value = literalOf(fields, (_, at) => `value${at}`);
  return {
    width: fields.length,
    write: compiled(
      given,
      `(row, { numbers, bigs }, at) => { let text = ''; ${writes}; return text; }`,
    ),
    read: compiled(
      { ...given, takeText },
      `({ numbers, bigs }, at, texts) => { ${reads}; return ${value}; }`,
    ),
  };
}

/** Code that writes the field of a row, and an expression that reads it. */
interface Part {
  readonly write: string;
  readonly read: string;
}

function partOf({ field, kind }: Field, index: number): Part {
  const value = pathTo(field);
  const place = `numbers[at + ${index}]`;
  const big = `bigs[at + ${index}]`;
  const texts = `takeText(texts, ${place})`;
  switch (kind) {
    case 'int':
      return { write: `${place} = ${value};`, read: place };
    case 'optionalInt':
      return {
        write: `${place} = ${value} ?? NaN;`,
        read: `Number.isNaN(${place}) ? undefined : ${place}`,
      };
    case 'big':
      // What has more bits than its place is not cut.
      return { write: `${big} = ${value}; if (${big} !== ${value}) return undefined;`, read: big };
    case 'oneOf':
      return {
        write: `${place} = known[${index}].indexOf(${value}); if (${place} < 0) return undefined;`,
        read: `known[${index}][${place}]`,
      };
    case 'text':
      return { write: `${place} = ${value}.length; text += ${value};`, read: texts };
    case 'optionalText':
      return { write: textOr(value, place), read: texts };
    case 'json':
      return {
        write: textOr(`${value} && JSON.stringify(${value})`, place),
        read: `jsonOf(${texts})`,
      };
    case 'whatever':
      return { write: textOr(`toText(${value})`, place), read: `fromText(${texts})` };
    default:
      throw new Error(`a record has no place for ${field}, which is ${kind}`);
  }
}

function textOr(value: string, place: string): string {
  return `{ const part = ${value};
    if (part === undefined) ${place} = -1; else { ${place} = part.length; text += part; } }`;
}

function takeText(texts: Texts, length: number): string | undefined {
  if (length < 0) return undefined;
  const from = texts.at;
  texts.at += length;
  return texts.all.substring(from, texts.at);
}

function jsonOf(text: string | undefined): unknown {
  return text === undefined ? undefined : JSON.parse(text);
}

const noEntries = '[]';

/** What few values have is carried as JSON, and money in it by a name of its own. */
function toText(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (Array.isArray(value) && value.length === 0) return noEntries;
  return JSON.stringify(value, (_, part) =>
    typeof part === 'bigint' ? { [moneyName]: `${part}` } : part,
  );
}

function fromText(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  if (text === noEntries) return [];
  return JSON.parse(text, (_, part) => {
    const digits: unknown = part?.[moneyName];
    return typeof digits === 'string' ? BigInt(digits) : part;
  });
}

const moneyName = '64 bits';
