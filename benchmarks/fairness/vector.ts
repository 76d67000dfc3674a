import type { AttackCall } from './calls.ts';

/** One attack, and the service and the victim that it meets. */
export interface Vector {
  readonly name: string;
  readonly attack: Attack;
  /** The victim asks for streams. */
  readonly usesStreams?: true;
  /** Each call of the victim opens a connection. */
  readonly opensConnections?: true;
  /** The attack needs this long to be complete; the victim is measured after it. */
  readonly leadSeconds?: number;
  readonly service?: ServiceSetting;
}

/** What of the service is not at its default. */
export interface ServiceSetting {
  /** Its limit of open files. */
  readonly filesMax?: number;
  readonly inFlight?: number;
  /** All callers come through one address, which is trusted. */
  readonly isBehindProxy?: true;
  /** So many more keys are in the store. */
  readonly keys?: number;
}

/** What the attackers do. */
export type Attack = CallAttack | SocketAttack | OperatorAttack;

/** Calls on kept-alive connections, each again once it is answered. */
export interface CallAttack {
  readonly kind: 'calls';
  readonly call: AttackCall;
  readonly connections: number;
  /** Keys of the one app that attacks; each is used at the rate of the default plan. */
  readonly keys: number;
  /** Half of the connections use the key of a second app whose budget is used up. */
  readonly withPoorApp?: true;
  /** As fast as the answers come: the plan rejects what is above its rate. */
  readonly isUnpaced?: true;
}

/** Sockets that never make a whole request, each again once it is closed. */
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

/** What operators do through the admin listener, more of it than they should. */
export interface OperatorAttack {
  readonly kind: 'operators';
  readonly work: 'uploads' | 'consoles' | 'keys';
}
