import arrowDown from 'heroicons/24/outline/arrow-down.svg';
import download from 'heroicons/24/outline/arrow-down-tray.svg';
import open from 'heroicons/24/outline/arrow-top-right-on-square.svg';
import rising from 'heroicons/24/outline/arrow-up.svg';
import switched from 'heroicons/24/outline/arrows-right-left.svg';
import more from 'heroicons/24/outline/bars-3.svg';
import calls from 'heroicons/24/outline/bars-3-bottom-left.svg';
import calendar from 'heroicons/24/outline/calendar.svg';
import bars from 'heroicons/24/outline/chart-bar.svg';
import pie from 'heroicons/24/outline/chart-pie.svg';
import check from 'heroicons/24/outline/check.svg';
import done from 'heroicons/24/outline/check-circle.svg';
import down from 'heroicons/24/outline/chevron-down.svg';
import left from 'heroicons/24/outline/chevron-left.svg';
import right from 'heroicons/24/outline/chevron-right.svg';
import activity from 'heroicons/24/outline/clock.svg';
import model from 'heroicons/24/outline/cube.svg';
import copy from 'heroicons/24/outline/document-duplicate.svg';
import actions from 'heroicons/24/outline/ellipsis-horizontal.svg';
import warning from 'heroicons/24/outline/exclamation-triangle.svg';
import key from 'heroicons/24/outline/key.svg';
import search from 'heroicons/24/outline/magnifying-glass.svg';
import refused from 'heroicons/24/outline/no-symbol.svg';
import add from 'heroicons/24/outline/plus.svg';
import home from 'heroicons/24/outline/presentation-chart-line.svg';
import access from 'heroicons/24/outline/shield-check.svg';
import health from 'heroicons/24/outline/signal.svg';
import apps from 'heroicons/24/outline/squares-2x2.svg';
import user from 'heroicons/24/outline/user.svg';
import columns from 'heroicons/24/outline/view-columns.svg';
import close from 'heroicons/24/outline/x-mark.svg';

const paths = {
  ...{ access, actions, activity, add, apps, arrowDown, bars, calendar, calls, check, close },
  ...{ columns, copy, done, down, download, health, home, key, left, model, more, open, pie },
  ...{ refused, right, rising, search, switched, user, warning },
} as const;

export type IconName = keyof typeof paths;

/** A decoration: the text next to it carries the meaning. */
export function Icon({ of }: { readonly of: IconName }) {
  return (
    <svg class="i" viewBox="0 0 24 24" aria-hidden="true">
      <path d={paths[of]} />
    </svg>
  );
}
