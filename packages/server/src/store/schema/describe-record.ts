import { compiled, literalOf, pathTo } from './describe.ts';
import { type Description, type Field, fieldsOf, type PartTypes } from './description.ts';

/** Records follow each other and are read in the same order. */
export interface Sheet {
  /** 8-byte places in shared memory: the same memory twice. */
  readonly numbers: Float64Array;
  readonly bigs: BigInt64Array;
  text: string;
  at: number;
  textAt: number;
  /** The last nonempty one: operations of one batch often share theirs. */
  list: readonly unknown[] | undefined;
}

/** `text` is read; empty for writing. */
export function rewind(sheet: Sheet, text = '') {
  sheet.text = text;
  sheet.at = 0;
  sheet.textAt = 0;
  sheet.list = undefined;
}

export interface RecordForm<Value> {
  /** False for a value that a record cannot hold, or without a place left. */
  write(value: Value, sheet: Sheet): boolean;
  read(sheet: Sheet): Value;
}

export function createRecordForm<Value>(
  describe: Description<Value, PartTypes>,
): RecordForm<Value> {
  return formOf(fieldsOf(describe));
}

function formOf<Value>(fields: readonly Field[]): RecordForm<Value> {
  const known = fields.map((field) => field.known);
  const forms = fields.map(({ parts }) => (parts.length === 0 ? undefined : formOf(parts)));
  const given = { known, forms, takeText, jsonOf, writeList, readList };
  const codes = fields.map(codeOf);
  const writes = codes.map(({ write }) => write).join('\n');
  // Texts and groups are read in the order in which they were written.
  const reads = codes.map(({ read }, at) => `const value${at} = ${read};`).join('\n');
  const value = literalOf(fields, (_, at) => `value${at}`);
  const start = `const { numbers, bigs, at } = sheet; sheet.at = at + ${fields.length};`;
  return {
    write: compiled(
      given,
      `(row, sheet) => {
        ${start} if (sheet.at > numbers.length) return false; ${writes}; return true; }`,
    ),
    read: compiled(given, `(sheet) => { ${start} ${reads}; return ${value}; }`),
  };
}

interface Code {
  readonly write: string;
  readonly read: string;
}

function codeOf({ field, kind }: Field, index: number): Code {
  const value = pathTo(field);
  const place = `numbers[at + ${index}]`;
  const big = `bigs[at + ${index}]`;
  const texts = `takeText(sheet, ${place})`;
  const form = `forms[${index}]`;
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
      return { write: `${big} = ${value}; if (${big} !== ${value}) return false;`, read: big };
    case 'oneOf':
      return {
        write: `${place} = known[${index}].indexOf(${value}); if (${place} < 0) return false;`,
        read: `known[${index}][${place}]`,
      };
    case 'text':
      return { write: `${place} = ${value}.length; sheet.text += ${value};`, read: texts };
    case 'optionalText':
      return { write: writeText(value, place), read: texts };
    case 'json':
      return {
        write: writeText(`${value} && JSON.stringify(${value})`, place),
        read: `jsonOf(${texts})`,
      };
    case 'optional':
      return {
        write: `${place} = ${value} === undefined ? 0 : 1;
          if (${value} !== undefined && !${form}.write(${value}, sheet)) return false;`,
        read: `${place} === 0 ? undefined : ${form}.read(sheet)`,
      };
    case 'list':
      return {
        write: `${place} = ${value} === sheet.list ? ${asBefore} : ${value}.length;
          if (${place} > 0 && !writeList(${value}, ${form}, sheet)) return false;`,
        read: `readList(${place}, ${form}, sheet)`,
      };
    default:
      throw new Error(`a record has no place for ${field}, which is ${kind}`);
  }
}

function writeText(value: string, place: string): string {
  return `{ const part = ${value};
    if (part === undefined) ${place} = -1; else { ${place} = part.length; sheet.text += part; } }`;
}

function takeText(sheet: Sheet, length: number): string | undefined {
  if (length < 0) return undefined;
  const from = sheet.textAt;
  sheet.textAt += length;
  return sheet.text.substring(from, sheet.textAt);
}

function jsonOf(text: string | undefined): unknown {
  return text === undefined ? undefined : JSON.parse(text);
}

/** In place of a length: repeats the last list. */
const asBefore = -1;

function writeList<Value>(list: readonly Value[], form: RecordForm<Value>, sheet: Sheet): boolean {
  for (const value of list) if (!form.write(value, sheet)) return false;
  sheet.list = list;
  return true;
}

function readList<Value>(
  length: number,
  form: RecordForm<Value>,
  sheet: Sheet,
): readonly unknown[] | undefined {
  if (length === asBefore) return sheet.list;
  const list: Value[] = [];
  while (list.length < length) list.push(form.read(sheet));
  if (length > 0) sheet.list = list;
  return list;
}
