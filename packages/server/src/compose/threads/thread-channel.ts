import { BroadcastChannel } from 'node:worker_threads';
import type { CallFollower, WatchedCall } from '../../calls/idempotency/call-events.ts';
import type { Clock } from '../../lib/clock.ts';
import type { PlatformReport } from '../../observe/platform-watch.ts';
import type { ProcessEvents } from '../parts/thread-parts.ts';

type Message =
  | { readonly kind: 'report'; readonly report: PlatformReport }
  | { readonly kind: 'follow'; readonly callId: string }
  | { readonly kind: 'left' | 'ended'; readonly callId: string };

export interface ThreadChannel extends ProcessEvents {
  close(): void;
}

const checkIntervalMs = 50;

/** Keeps no thread alive. */
export function openThreadChannel(name: string, clock: Clock): ThreadChannel {
  const channel = new BroadcastChannel(name);
  channel.unref();
  const followers = new Map<string, Set<CallFollower>>();
  const followed = new Set<string>();
  let receiveReport: (report: PlatformReport) => void = () => undefined;
  let find: (callId: string) => WatchedCall | undefined = () => undefined;
  channel.onmessage = (event) => receive(event.data);
  return {
    provide(by) {
      find = by;
    },
    follow(callId, follower) {
      const all = followers.get(callId) ?? new Set();
      followers.set(callId, all.add(follower));
      post({ kind: 'follow', callId });
      return {
        unfollow() {
          all.delete(follower);
          if (all.size === 0 && followers.get(callId) === all) followers.delete(callId);
        },
      };
    },
    report: (report) => post({ kind: 'report', report }),
    onReport(by) {
      receiveReport = by;
    },
    close: () => channel.close(),
  };

  function post(message: Message) {
    channel.postMessage(message);
  }

  function receive(message: Message) {
    if (message.kind === 'report') return receiveReport(message.report);
    const { kind, callId } = message;
    if (kind === 'follow') return watch(callId);
    for (const follower of followers.get(callId) ?? []) follower[kind]();
  }

  function watch(callId: string) {
    const call = find(callId);
    if (call === undefined) return;
    if (call.isDetached()) post({ kind: 'left', callId });
    if (followed.has(callId)) return;
    followed.add(callId);
    const end = () => {
      followed.delete(callId);
      post({ kind: 'ended', callId });
    };
    call.final.then(end, end);
    if (!call.isDetached()) watchForDisconnect(callId, call);
  }

  function watchForDisconnect(callId: string, call: WatchedCall) {
    clock.after(checkIntervalMs, () => {
      if (!followed.has(callId)) return;
      if (call.isDetached()) post({ kind: 'left', callId });
      else watchForDisconnect(callId, call);
    });
  }
}
