import { InvoiceError } from './invoice-error.ts';

/** Longer than any page of a platform's cost API. */
const lineLengthMax = 16 * 1_048_576;

/** Throws an InvoiceError for a line of 16 MiB. */
export async function readPages(
  name: string,
  text: AsyncIterable<string>,
  read: (name: string, page: string) => void,
) {
  let line = 1;
  let rest = '';
  const tooLong = () => new InvoiceError(`${name}, line ${line}: is more than 16 MiB of JSON`);
  const readLine = (page: string) => {
    if (page.length > lineLengthMax) throw tooLong();
    if (page.trim() !== '') read(`${name}, line ${line}`, page);
    line += 1;
  };
  for await (const part of text) {
    const lines = part.split('\n');
    const last = lines.pop() ?? '';
    for (const page of lines) {
      readLine(rest + page);
      rest = '';
    }
    rest += last;
    if (rest.length > lineLengthMax) throw tooLong();
  }
  readLine(rest);
}
