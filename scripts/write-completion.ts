// Writes the words that `completion` prints, from the commands' own modules. A test compares them.
import { writeFileSync } from 'node:fs';
import { wordsOfCommands } from '../packages/server/src/cli/completion-words.ts';
import { systemClock } from '../packages/server/src/lib/clock.ts';
import { createIds } from '../packages/server/src/lib/id.ts';

const words = await wordsOfCommands({
  clock: systemClock,
  ids: createIds(systemClock),
  environment: {},
  print: () => undefined,
  warn: () => undefined,
  readStandardInput: async () => '',
});
const lines = words.map((one) => `  ${JSON.stringify(one)}`);
const file = new URL('../packages/server/src/cli/completion-words.json', import.meta.url);
writeFileSync(file, `[\n${lines.join(',\n')}\n]\n`);
