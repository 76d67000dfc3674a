import { configSchema } from '../../config/file-keys.ts';
import { missingSentence } from '../apps/file-plan.ts';
import { argument, optional, text } from '../description/field.ts';
import { type Operation, ofType, operation } from '../description/operation.ts';
import type { FileComparison } from '../documents/config.ts';
import { type ConfigDocument, configDocument } from './config-document.ts';
import { configLines, diffLines } from './lines.ts';

const check = operation({
  name: 'config check',
  about: 'check a file for mistakes',
  opens: 'nothing',
  needs: ['configFiles'],
  input: { file: optional(argument(text('the file; else that of every command', 'file'))) },
  result: ofType<ConfigDocument>(),
  run: async ({ configFiles }, { file }) => configDocument((await configFiles.check(file)).config),
  warnings: async ({ configFiles }, { file }) => (await configFiles.check(file)).warnings,
  lines: configLines,
});

const diff = operation({
  name: 'config diff',
  about: 'show what a start with the file would do to apps, budgets and prices',
  opens: 'nothing',
  needs: ['configFiles'],
  result: ofType<FileComparison>(),
  run: ({ configFiles }) => configFiles.compare(),
  failure({ apps, file }) {
    const lost = apps.filter(({ atStart }) => atStart === 'refuse').map(({ app }) => app);
    return lost.length === 0 ? undefined : missingSentence(lost, file);
  },
  lines: diffLines,
});

const schema = operation({
  name: 'config schema',
  about: 'print the JSON Schema of the file, for editors',
  opens: 'nothing',
  result: ofType<object>(),
  run: async () => configSchema(),
  lines: (printed) => JSON.stringify(printed, null, 2).split('\n'),
});

export const config: readonly Operation[] = [check, diff, schema];
