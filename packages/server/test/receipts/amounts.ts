import { type Amounts, amountsOf, tokensOf } from '../streams/support/oracle.ts';
import { type Plan, text } from './script.ts';

/** The cost of a call, by the words of `docs/ledger.md` and without the service's code. */
export interface CallAmounts {
  /** The reservation. */
  readonly most: bigint;
  /** By the platform's counts. */
  readonly exact: bigint;
  /** Without counts, for this part of the text. */
  bytes(delivered: string): bigint;
}

const embedRate = 20_000n;
const badToolTokens = 4 + tokensOf('unknown') + tokensOf('{}');

/** The amounts of a request's own call. */
export function amountsOfCall(body: object, { result }: Plan, most: number): CallAmounts {
  if ('input' in body) {
    const input = String(body.input);
    return {
      most: BigInt(Buffer.byteLength(JSON.stringify(body)) + 1_024) * embedRate,
      exact: BigInt(16 + 2 * 4 + tokensOf(input)) * embedRate,
      bytes: () => BigInt(Math.ceil(Buffer.byteLength(input) / 3)) * embedRate,
    };
  }
  const amounts: Amounts = amountsOf(Object(body));
  const output = tokensOf(text) + (result === 'bad' ? badToolTokens : 0);
  return {
    most: amounts.most,
    exact: amounts.exact(result === 'overruns' ? 2 * most : output),
    bytes: (delivered) => amounts.bytes(Buffer.byteLength(delivered)),
  };
}
