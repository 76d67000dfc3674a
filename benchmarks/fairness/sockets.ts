import { connect } from 'node:net';
import type { SocketAttack } from './vector.ts';

const dripMs = 1_000;
/** A listener that drops connections is tried again after so long. */
const againMs = 100;

/** Opens so many sockets, and each again when it is closed. Counts the closed ones. */
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
    // Whatever ends it, the next one follows.
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      clearInterval(dripping);
      count(status);
      setTimeout(open, againMs);
    });
  }
}
