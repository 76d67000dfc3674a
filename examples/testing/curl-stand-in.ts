// Sends what a curl command line says, as far as the printed one goes. So on a machine without curl
// the line is still read by a shell, quotes and all.
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
const body = values.data === undefined ? {} : { method: 'POST', body: values.data };
const response = await fetch(url, { headers, ...body });
process.stdout.write(await response.text());
