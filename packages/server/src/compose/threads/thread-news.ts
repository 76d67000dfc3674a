import { BroadcastChannel } from 'node:worker_threads';
import type { AskedCall, CallFollower } from '../../calls/idempotency/call-news.ts';
import type { Clock } from '../../lib/clock.ts';
import type { PlatformReport } from '../../observe/platform-watch.ts';
import type { ProcessNews } from '../parts/thread-parts.ts';

type Message =
  | { readonly kind: 'report'; readonly report: PlatformReport }
  | { readonly kind: 'follow'; readonly callId: string }
  | { readonly kind: 'left' | 'ended'; readonly callId: string };

export interface ThreadNews extends ProcessNews {
  close(): void;
}

/** The interval at which a followed call is checked for a caller that left. */
const lookMs = 50;

/** Keeps no thread alive. */
export function openThreadNews(name: string, clock: Clock): ThreadNews {
  const channel = new BroadcastChannel(name);
  channel.unref();
  const followers = new Map<string, Set<CallFollower>>();
  const followed = new Set<string>();
  let hearReport: (report: PlatformReport) => void = () => undefined;
  let find: (callId: string) => AskedCall | undefined = () => undefined;
  channel.onmessage = (event) => hear(event.data);
  return {
    tell(by) {
      find = by;
    },
    follow(callId, follower) {
      const all = followers.get(callId) ?? new Set();
      followers.set(callId, all.add(follower));
      say({ kind: 'follow', callId });
      return {
        forget() {
          all.delete(follower);
          if (all.size === 0 && followers.get(callId) === all) followers.delete(callId);
        },
      };
    },
    report: (report) => say({ kind: 'report', report }),
    onReport(by) {
      hearReport = by;
    },
    close: () => channel.close(),
  };

  function say(message: Message) {
    channel.postMessage(message);
  }

  function hear(message: Message) {
    if (message.kind === 'report') return hearReport(message.report);
    const { kind, callId } = message;
    if (kind === 'follow') return watch(callId);
    for (const follower of followers.get(callId) ?? []) follower[kind]();
  }

  function watch(callId: string) {
    const call = find(callId);
    if (call === undefined) return;
    if (call.isLeft()) say({ kind: 'left', callId });
    if (followed.has(callId)) return;
    followed.add(callId);
    const end = () => {
      followed.delete(callId);
      say({ kind: 'ended', callId });
    };
    call.final.then(end, end);
    if (!call.isLeft()) look(callId, call);
  }

  function look(callId: string, call: AskedCall) {
    clock.after(lookMs, () => {
      if (!followed.has(callId)) return;
      if (call.isLeft()) say({ kind: 'left', callId });
      else look(callId, call);
    });
  }
}
