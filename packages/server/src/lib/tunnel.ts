import { connect as connectSocket, isIP, type Socket, type TcpNetConnectOpts } from 'node:net';
import { connect as connectSecurely, type SecureContext } from 'node:tls';
import type { Clock, Timer } from './clock.ts';
import type { ProxyAddress } from './proxy-address.ts';
import { ProxyError, readHead, refusalOf, unreachable, withoutTls } from './proxy-error.ts';
import type { ProxySelector } from './proxy-route.ts';

export interface Target {
  readonly protocol: string;
  readonly hostname: string;
  readonly port: string;
}

export type OnConnect = (...result: [null, Socket] | [Error, null]) => void;

export type Connect<T extends Target> = (
  target: T & { readonly httpSocket?: Socket },
  onConnect: OnConnect,
) => unknown;

export interface TunnelParts<T extends Target> {
  readonly proxy: ProxyAddress;
  /** Covers the proxy, its response, and TLS with the target. */
  readonly timeoutMs: number;
  readonly clock: Pick<Clock, 'after'>;
  /** Adds TLS with the target; has no time limit. */
  readonly secure: Connect<T>;
  readonly secureContext?: SecureContext | undefined;
  readonly reads?: Partial<TcpNetConnectOpts>;
}

/**
 * Uses CONNECT for both schemes, so a proxy's own response never looks like the target's. Failures
 * occur before any request is written.
 */
export function connectThrough<T extends Target>(parts: TunnelParts<T>): Connect<T> {
  return (target, onConnect) => new Tunnel(parts, target, onConnect).open();
}

export interface RoutedParts<T extends Target> extends Omit<TunnelParts<T>, 'proxy'> {
  readonly routeOf: ProxySelector;
  readonly direct: Connect<T>;
}

export function connectRouted<T extends Target>({
  routeOf,
  direct,
  ...parts
}: RoutedParts<T>): Connect<T> {
  return (target, onConnect) => {
    const proxy = routeOf(new URL(`${target.protocol}//${authorityOf(target)}`));
    if (proxy === undefined) direct(target, onConnect);
    else connectThrough({ ...parts, proxy })(target, onConnect);
  };
}

class Tunnel<T extends Target> {
  readonly #parts: TunnelParts<T>;
  readonly #target: T;
  readonly #host: string;
  readonly #socket: Socket;
  readonly #timer: Timer;
  #onConnect: OnConnect | undefined;
  #head = '';
  #isOpen = false;

  constructor(parts: TunnelParts<T>, target: T, onConnect: OnConnect) {
    const { proxy, clock, timeoutMs } = parts;
    this.#parts = parts;
    this.#target = target;
    this.#host = authorityOf(target);
    this.#onConnect = onConnect;
    this.#socket = connectTo(parts);
    this.#timer = clock.after(timeoutMs, () => {
      const step = this.#isOpen ? `TLS with ${this.#host}` : `a connection to ${this.#host}`;
      const problem = `took more than ${timeoutMs} ms for ${step}; check the proxy and its network path to that host`;
      this.#fail(new ProxyError(proxy, 'PROXY_TIMEOUT', problem));
    });
  }

  open() {
    const { proxy } = this.#parts;
    this.#socket.setNoDelay(true).setKeepAlive(true, 60_000);
    this.#socket.once(proxy.isSecure ? 'secureConnect' : 'connect', () => this.#ask());
    this.#socket.on('error', this.#onError).on('end', this.#onEnd).on('close', this.#onEnd);
    this.#socket.on('readable', this.#onReadable);
  }

  #ask() {
    const { proxy } = this.#parts;
    const login =
      proxy.authorization === undefined ? '' : `proxy-authorization: ${proxy.authorization}\r\n`;
    this.#socket.write(`CONNECT ${this.#host} HTTP/1.1\r\nhost: ${this.#host}\r\n${login}\r\n`);
  }

  readonly #onError = (error: Error) =>
    this.#fail(
      this.#isOpen
        ? withoutTls(this.#parts.proxy, error, this.#host)
        : unreachable(this.#parts.proxy, error),
    );

  readonly #onEnd = () => {
    const { proxy } = this.#parts;
    if (this.#isOpen) return this.#fail(withoutTls(proxy, closedError(), this.#host));
    this.#fail(new ProxyError(proxy, 'PROXY_CLOSED', 'closed the connection without a response'));
  };

  readonly #onReadable = () => {
    for (let bytes: unknown = this.#socket.read(); bytes !== null; bytes = this.#socket.read()) {
      this.#head += Buffer.isBuffer(bytes) ? bytes.toString('latin1') : '';
      const answer = readHead(this.#head);
      if (answer === undefined) continue;
      const refusal = refusalOf(this.#parts.proxy, answer, this.#host);
      return refusal === undefined ? this.#handOver() : this.#fail(refusal);
    }
  };

  #handOver() {
    const { secure } = this.#parts;
    const socket = this.#socket;
    this.#isOpen = true;
    socket.off('readable', this.#onReadable);
    if (this.#target.protocol !== 'https:') return this.#succeed(socket);
    secure({ ...this.#target, httpSocket: socket }, (error, secured) => {
      if (error === null) this.#succeed(secured);
      else this.#fail(withoutTls(this.#parts.proxy, error, this.#host));
    });
  }

  #succeed(socket: Socket) {
    const onConnect = this.#end();
    if (onConnect === undefined) socket.destroy();
    else onConnect(null, socket);
  }

  #fail(error: Error) {
    const onConnect = this.#end();
    this.#socket.destroy();
    onConnect?.(error, null);
  }

  #end(): OnConnect | undefined {
    const onConnect = this.#onConnect;
    this.#onConnect = undefined;
    this.#timer.cancel();
    this.#socket.off('error', this.#onError).off('end', this.#onEnd).off('close', this.#onEnd);
    this.#socket.on('error', () => undefined);
    return onConnect;
  }
}

function connectTo<T extends Target>({ proxy, secureContext, reads }: TunnelParts<T>): Socket {
  const { host, port, isSecure } = proxy;
  if (!isSecure) return connectSocket({ ...reads, host, port });
  const servername = isIP(host) === 0 ? host : '';
  return connectSecurely({ host, port, servername, ALPNProtocols: ['http/1.1'], secureContext });
}

function authorityOf({ protocol, hostname, port }: Target): string {
  const host = hostname.includes(':') && !hostname.startsWith('[') ? `[${hostname}]` : hostname;
  return `${host}:${port === '' ? (protocol === 'https:' ? 443 : 80) : port}`;
}

function closedError(): Error {
  return Object.assign(new Error('the connection was closed'), { code: 'ECONNRESET' });
}
