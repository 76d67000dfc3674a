import pg from 'pg';

/** Only 64-bit integers differ from the driver's parsing: bigint. */
const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === pg.types.builtins.INT8) return (value: string) => BigInt(value);
    return format === 'binary' ? pg.types.getTypeParser(oid, format) : pg.types.getTypeParser(oid);
  },
};

const connectTimeoutMs = 3_000;

/**
 * Longer answers count as a broken connection: a network that swallows packets closes nothing. More
 * than the server allows any transaction of ours.
 */
export const answerTimeoutMs = 5_000;

/**
 * No session setting here or in a transaction: a pooler may change connections between
 * transactions.
 */
export function connectionOptions(url: string) {
  return {
    connectionString: url,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    application_name: 'model-gateway',
    // Statements go out without waiting for the answers to those before them.
    pipeline: true,
    types,
  } as const satisfies pg.ClientConfig;
}
