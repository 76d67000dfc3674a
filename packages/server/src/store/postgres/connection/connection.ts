import pg from 'pg';

/** Only 64-bit integers differ from the driver's parsing: they become bigint. */
const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === pg.types.builtins.INT8) return (value: string) => BigInt(value);
    return format === 'binary' ? pg.types.getTypeParser(oid, format) : pg.types.getTypeParser(oid);
  },
};

const connectTimeoutMs = 3_000;

/**
 * A later response counts as a broken connection, because a network that drops packets closes
 * nothing. Longer than the server allows any transaction of the gateway.
 */
export const answerTimeoutMs = 5_000;

/**
 * No session settings here or in a transaction: a pooler may change connections between
 * transactions.
 */
export function connectionOptions(url: string) {
  return {
    connectionString: url,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    application_name: 'model-gateway',
    // Sends statements without waiting for earlier responses.
    pipeline: true,
    types,
  } as const satisfies pg.ClientConfig;
}
