// Sends the request of a curl command line, as far as the printed line needs. So on a machine
// without curl a shell still reads the line, with its quotes.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  options: {
    silent: { type: 'boolean', short: 's' },
    header: { type: 'string', short: 'H', multiple: true, default: [] },
    data: { type: 'string', short: 'd' },
  },
  allowPositionals: true,
});

const [url = ''] = positionals;
const headers = values.header.map((header): [string, string] => {
  const colon = header.indexOf(':');
  return [header.slice(0, colon), header.slice(colon + 1).trim()];
});
const { data } = values;
// Like curl, it removes line breaks from text that it reads from a file.
const text = data?.startsWith('@')
  ? readFileSync(data.slice(1), 'utf8').replaceAll(/[\r\n]/g, '')
  : data;
const body = text === undefined ? {} : { method: 'POST', body: text };
const response = await fetch(url, { headers, ...body });
process.stdout.write(await response.text());
