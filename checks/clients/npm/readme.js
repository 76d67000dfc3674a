import { readFileSync, writeFileSync } from 'node:fs';
import { tell } from './tell.js';

const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');
const [, program] = /```js\n(.*?)```/s.exec(readme);
// The file must be next to the clients to find them; git ignores the folder.
const file = new URL('../node_modules/.readme.mjs', import.meta.url);

await tell({
  async readme({ url, apiKey }) {
    writeFileSync(file, program.replace('http://127.0.0.1:8787', url).replace('mgk_…', apiKey));
    const said = [];
    const { log } = console;
    console.log = (text) => said.push(text);
    try {
      await import(file);
    } finally {
      console.log = log;
    }
    return { text: said.join('\n') };
  },
});
