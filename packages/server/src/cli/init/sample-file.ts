import { readFileSync } from 'node:fs';
import type { CommandContext } from '../process/context.ts';
import { printDocument } from '../process/print.ts';
import { sampleLines } from './lines.ts';
import { type InitOptions, type InitPlace, loadText, writeNew } from './new-file.ts';

export function initSample(
  context: CommandContext,
  options: InitOptions,
  { file, schema, sample }: InitPlace & { readonly sample: URL },
): void {
  const yaml = sampleFor(readFileSync(sample, 'utf8'), schema, options.company);
  const { apps, platforms } = loadText(context, file, yaml);
  writeNew(file, yaml);
  const document = {
    file,
    apps: apps.map(({ name }) => name),
    platforms: platforms.map(({ name }) => name),
  };
  printDocument(context, options, document, sampleLines);
}

function sampleFor(yaml: string, schema: string, company: string | undefined): string {
  const sample = yaml
    .replace(/(?<=^# yaml-language-server: \$schema=)\S+/, schema)
    // Exact caps from the first call on.
    .replace(/^# (?=unpriced: refuse$)/m, '');
  if (company === undefined) return sample;
  const named = sample.replace(/^company: \S+/m, `company: ${JSON.stringify(company)}`);
  return named
    .replace(/prod-acme-core/g, `prod-${company}-core`)
    .replace(/(?<=@|\.)acme(?=\.example)/g, company);
}
