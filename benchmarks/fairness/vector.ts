import type { AttackCall } from './calls.ts';

/** One attack, with its service and its victim. */
export interface Vector {
  readonly name: string;
  readonly attack: Attack;
  readonly usesStreams?: true;
  /** Each call of the victim opens a connection. */
  readonly opensConnections?: true;
  /** The attack needs this long to be complete; the victim is measured after it. */
  readonly leadSeconds?: number;
  readonly service?: ServiceSetting;
}

/** Settings of the service that differ from the defaults. */
export interface ServiceSetting {
  /** Its limit of open files. */
  readonly filesMax?: number;
  readonly inFlight?: number;
  /** All callers come through one trusted address. */
  readonly isBehindProxy?: true;
  /** The number of additional keys in the store. */
  readonly keys?: number;
}

export type Attack = CallAttack | SocketAttack | OperatorAttack;

/** Calls on kept-alive connections; each is sent again after its response. */
export interface CallAttack {
  readonly kind: 'calls';
  readonly call: AttackCall;
  readonly connections: number;
  /** Keys of the one app that attacks; each is used at the default rate limit. */
  readonly keys: number;
  /** Half of the connections use the key of a second app whose budget is used up. */
  readonly withPoorApp?: true;
  /** Calls follow each other without pause: the rate limit rejects the excess. */
  readonly isUnpaced?: true;
}

/** Sockets that never make a whole request; each is opened again once it is closed. */
export interface SocketAttack {
  readonly kind: 'sockets';
  readonly count: number;
  /** Sent at once; `KEY` is the attacker's key. */
  readonly opening: string;
  /** Sent once a second. */
  readonly drip?: string;
  /** Ends its half of the connection after the opening. */
  readonly endsHalf?: true;
}

/** Operators' work through the admin listener at an excessive rate. */
export interface OperatorAttack {
  readonly kind: 'operators';
  readonly work: 'uploads' | 'consoles' | 'keys';
}
