import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { readInvoice } from '../invoices/read-invoice.ts';
import { fieldOf, parseJson } from '../lib/json-value.ts';
import type { Files } from '../operations/context/parts.ts';
import { UsageError } from './process/context.ts';

const manifestBytesMax = 4 * 1_048_576;

/**
 * A manifest is replaced by its parts, in its own folder or in the data folder of an export. Throws
 * a UsageError for a missing part.
 */
export function invoiceFiles(files: readonly string[]): Files {
  const paths = files.flatMap((file) => {
    const size = sizeOf(file);
    if (!/manifest\.json$/i.test(file)) return [file];
    if (size > manifestBytesMax) throw new UsageError(`--file: the manifest ${file} is too large`);
    return partsOf(file);
  });
  for (const path of paths) sizeOf(path);
  return {
    names: paths.map((path) => basename(path)),
    read: () =>
      readInvoice(paths.map((path) => ({ name: basename(path), chunks: createReadStream(path) }))),
  };
}

function sizeOf(file: string): number {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats?.isFile() === true) return stats.size;
  throw new UsageError(`--file: ${JSON.stringify(file)} is not a file`);
}

function partsOf(manifest: string): readonly string[] {
  const names = dataFilesIn(manifest).map((name) => basename(name));
  const folder = dirname(manifest);
  // An export has metadata/BILLING_PERIOD=… and data/BILLING_PERIOD=… under one parent.
  const folders = [folder, join(folder, '..', '..', 'data', basename(folder))];
  return names.map((name) => {
    const path = folders.map((each) => join(each, name)).find(existsSync);
    if (path !== undefined) return path;
    throw new UsageError(
      `--file: ${manifest} lists ${name}, which is not in ${folders.join(', ')}`,
    );
  });
}

function dataFilesIn(manifest: string): readonly string[] {
  const files = fieldOf(parseJson(readFileSync(manifest, 'utf8'))?.value, 'dataFiles');
  const names = Array.isArray(files) ? files.filter((name) => typeof name === 'string') : [];
  if (Array.isArray(files) && names.length === files.length && names.length > 0) return names;
  throw new UsageError(`--file: the manifest ${manifest} has no dataFiles list`);
}
