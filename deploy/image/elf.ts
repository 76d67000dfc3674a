const magic = 0x7f_45_4c_46;
const load = 1;
const dynamic = 2;
const interpreter = 3;
const needed = 1;
const stringTable = 5;

/** The fields that Linux' loader reads of a program or a library: 64 bits, little-endian. */
export interface Elf {
  /** 62 is x86-64, 183 is AArch64. */
  readonly machine: number;
  /** The path of a program's loader. */
  readonly loader: string | undefined;
  /** The names of its direct libraries. */
  readonly needed: readonly string[];
  /** The end of the loaded part: only debuggers use the sections behind it. */
  readonly loadedBytes: number;
}

interface Segment {
  readonly type: number;
  readonly offset: number;
  readonly address: number;
  readonly bytes: number;
}

/** Reads the head of a file; throws an Error for another format. */
export function readElf(file: Buffer): Elf {
  if (file.readUInt32BE(0) !== magic || file[4] !== 2 || file[5] !== 1) {
    throw new Error('the file must be a little-endian 64-bit ELF file');
  }
  const segments = segmentsOf(file);
  const loaded = segments.filter(({ type }) => type === load);
  const at = segments.find(({ type }) => type === interpreter);
  return {
    machine: file.readUInt16LE(18),
    loader: at === undefined ? undefined : textAt(file, at.offset),
    needed: neededBy(file, segments),
    loadedBytes: Math.max(...loaded.map(({ offset, bytes }) => offset + bytes)),
  };
}

/**
 * The file without parts that no process loads: symbols for debuggers, a fifth of Node. The table
 * of sections is also removed; only linkers and debuggers read it.
 */
export function stripped(file: Buffer): Buffer {
  const result = Buffer.from(file.subarray(0, readElf(file).loadedBytes));
  result.writeBigUInt64LE(0n, 40);
  // The number of sections, and the section with their names.
  result.writeUInt16LE(0, 60);
  result.writeUInt16LE(0, 62);
  return result;
}

function segmentsOf(file: Buffer): readonly Segment[] {
  const first = Number(file.readBigUInt64LE(32));
  const size = file.readUInt16LE(54);
  return Array.from({ length: file.readUInt16LE(56) }, (_, index) => {
    const at = first + index * size;
    return {
      type: file.readUInt32LE(at),
      offset: Number(file.readBigUInt64LE(at + 8)),
      address: Number(file.readBigUInt64LE(at + 16)),
      bytes: Number(file.readBigUInt64LE(at + 32)),
    };
  });
}

function neededBy(file: Buffer, segments: readonly Segment[]): readonly string[] {
  const table = segments.find(({ type }) => type === dynamic);
  if (table === undefined) return [];
  const entries = Array.from({ length: table.bytes / 16 }, (_, index) => {
    const at = table.offset + index * 16;
    return { tag: Number(file.readBigInt64LE(at)), value: Number(file.readBigUInt64LE(at + 8)) };
  });
  const names = entries.find(({ tag }) => tag === stringTable)?.value ?? 0;
  const within = segments.find(({ type, address, bytes }) => {
    return type === load && names >= address && names < address + bytes;
  });
  if (within === undefined) return [];
  const from = names - within.address + within.offset;
  const own = entries.slice(
    0,
    entries.findIndex(({ tag }) => tag === 0),
  );
  return own.filter(({ tag }) => tag === needed).map(({ value }) => textAt(file, from + value));
}

function textAt(file: Buffer, from: number): string {
  return file.toString('latin1', from, file.indexOf(0, from));
}
