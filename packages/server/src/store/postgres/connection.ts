import pg from 'pg';

/** Integers of 64 bits are read as bigint, and nothing else differs from the driver's ways. */
const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === pg.types.builtins.INT8) return (value: string) => BigInt(value);
    return format === 'binary' ? pg.types.getTypeParser(oid, format) : pg.types.getTypeParser(oid);
  },
};

/** How long it takes to find out that a server cannot be reached. */
const connectTimeoutMs = 3_000;

/**
 * How long an answer may take before the connection counts as broken: a network that swallows
 * packets closes nothing. More than the server allows any transaction of ours.
 */
export const answerTimeoutMs = 5_000;

/**
 * What every connection is made with. Nothing here sets the server's session, and no transaction
 * leaves anything in it, so that a pooler may change connections between transactions.
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
