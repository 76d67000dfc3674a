import pg from 'pg';

/**
 * What to do about a batch that failed. `operation`: one of its operations is to blame; `key`: a
 * new key has been taken in the meantime; `locked`: a budget's row was not to be had in time;
 * `unnamed`: a pooler between loses prepared statements; `connection`: all else.
 */
export type Failure = 'operation' | 'key' | 'locked' | 'unnamed' | 'connection';

/** Tells the failures of the database apart. Source: PostgreSQL manual, appendix A. */
export function failureOf(error: unknown): Failure {
  const state = sqlStateOf(error);
  if (state === undefined) return 'connection';
  if (state === '23505' && constraintOf(error) === 'idempotency_pkey') return 'key';
  if (state === lockNotAvailable) return 'locked';
  if (lostStatement.includes(state)) return 'unnamed';
  return ofData.includes(classOf(state)) ? 'operation' : 'connection';
}

/** True when the server has said that the transaction failed: it has no effect then. */
export function isRolledBack(error: unknown): boolean {
  const state = sqlStateOf(error);
  return state !== undefined && !ofServer.includes(classOf(state));
}

/** True for a deadlock or a conflict of snapshots: the same transaction may go through next. */
export function isConflict(error: unknown): boolean {
  const state = sqlStateOf(error);
  return state !== undefined && classOf(state) === '40';
}

/**
 * True when a connection that had been open was found broken, so that a new one may be better; a
 * server that cannot be reached, or that is slow, is not asked again. A process that got no
 * processor for a second loses its connection within a transaction: the server ends it.
 */
export function isStaleConnection(error: unknown): boolean {
  const state = sqlStateOf(error);
  if (state !== undefined) return ended.includes(state);
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? error.code : undefined;
  const { message } = error;
  return code === 'ECONNRESET' || code === 'EPIPE' || broken.test(message);
}

/** By an administrator, by a crash, or since its transaction was idle for too long. */
const ended: readonly string[] = ['57P01', '57P02', '25P03'];
/** What the driver says of a connection that broke during a query, and of one that broke before. */
const broken = /^(?:Connection terminated|Client has encountered a connection error)/;

/** True for a text that the server cannot keep, such as one with U+0000, also within JSON. */
export function isUnstorable(error: unknown): boolean {
  const state = sqlStateOf(error);
  return state !== undefined && unstorable.includes(state);
}

/** A character that is none of the encoding, and one that has no place in a text. */
const unstorable: readonly string[] = ['22021', '22P05'];

const lockNotAvailable = '55P03';
/** The statement is not there, or another client's of that name is. */
const lostStatement: readonly string[] = ['26000', '42P05'];
/** Data that do not fit, broken constraints, and values that are too large for an index. */
const ofData: readonly string[] = ['22', '23', '54'];
/** Lost connections, and servers that stop or fail, whatever they were doing. */
const ofServer: readonly string[] = ['08', '57', '58', 'XX'];

/** The text of a driver's error, without a connection string, and what to do where it is TLS. */
export function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('; ');
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? String(error.code) : '';
  const { message } = error;
  if (untrusted.includes(code)) {
    return `the database's certificate is of an authority that is not trusted (${code}): name the authority's file with sslrootcert=FILE in the store's URL`;
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return `the database's certificate is of another name: ${message}`;
  }
  if (message === 'The server does not support SSL connections') {
    return 'the database takes no TLS, and sslmode in the store\'s URL asks for it: turn "ssl" on there';
  }
  return message;
}

/** Source: OpenSSL, X509_verify_cert_error_string(3), by the names that Node gives them. */
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

/** The server's code of an error; undefined where the server has said nothing. */
export function sqlStateOf(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

function constraintOf(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.constraint : undefined;
}
