import pg from 'pg';

/**
 * `operation`: one operation failed. `key`: another process created a new key. `locked`: a budget
 * row was not free in time. `unnamed`: a pooler loses prepared statements. `connection`: all else.
 */
export type Failure = 'operation' | 'key' | 'locked' | 'unnamed' | 'connection';

/** Source: PostgreSQL manual, appendix A. */
export function failureOf(error: unknown): Failure {
  const state = sqlStateOf(error);
  if (state === undefined) return 'connection';
  if (state === '23505' && constraintOf(error) === 'idempotency_pkey') return 'key';
  if (state === lockNotAvailable) return 'locked';
  if (lostStatement.includes(state)) return 'unnamed';
  return ofData.includes(classOf(state)) ? 'operation' : 'connection';
}

export function isRolledBack(error: unknown): boolean {
  const state = sqlStateOf(error);
  return state !== undefined && !ofServer.includes(classOf(state));
}

/** A deadlock or snapshot conflict: a retry of the transaction may succeed. */
export function isConflict(error: unknown): boolean {
  const state = sqlStateOf(error);
  return state !== undefined && classOf(state) === '40';
}

/**
 * An open connection broke, so a new one may work; false for an unreachable or slow server. A
 * process without processor time for 1 s loses its connection within a transaction.
 */
export function isStaleConnection(error: unknown): boolean {
  const state = sqlStateOf(error);
  if (state !== undefined) return ended.includes(state);
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? error.code : undefined;
  const { message } = error;
  return code === 'ECONNRESET' || code === 'EPIPE' || broken.test(message);
}

/** Ended by an administrator, a crash, or an idle transaction. */
const ended: readonly string[] = ['57P01', '57P02', '25P03'];
/** The driver's texts for a break during a query, and before a query. */
const broken = /^(?:Connection terminated|Client has encountered a connection error)/;

/** For example U+0000, also within JSON. */
export function isUnstorable(error: unknown): boolean {
  const state = sqlStateOf(error);
  return state !== undefined && unstorable.includes(state);
}

/** A character outside the encoding, and a character that texts do not allow. */
const unstorable: readonly string[] = ['22021', '22P05'];

const lockNotAvailable = '55P03';
/** The statement is missing, or its name belongs to another client. */
const lostStatement: readonly string[] = ['26000', '42P05'];
/** Data that do not fit, broken constraints, values too large for an index. */
const ofData: readonly string[] = ['22', '23', '54'];
/** Lost connections, and stopped or failing servers. */
const ofServer: readonly string[] = ['08', '57', '58', 'XX'];

/** Without a connection string; includes a remedy for TLS. */
export function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('; ');
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? String(error.code) : '';
  const { message } = error;
  if (untrusted.includes(code)) {
    return `the database certificate is signed by an untrusted certificate authority (${code}); add sslrootcert=FILE to the store URL`;
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return `the database certificate has a different host name: ${message}`;
  }
  if (message === 'The server does not support SSL connections') {
    return 'the database does not support TLS, but sslmode in the store URL requires it; turn on "ssl" in the database';
  }
  return message;
}

/** Source: OpenSSL, X509_verify_cert_error_string(3), with Node's names. */
const untrusted: readonly string[] = [
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
];

function classOf(state: string): string {
  return state.slice(0, 2);
}

/** Undefined if the server sent none. */
export function sqlStateOf(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

function constraintOf(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.constraint : undefined;
}
