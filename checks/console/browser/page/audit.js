// Runs in the page, after texts.js and before the page's own scripts: the checks of an audit.
globalThis.layoutAudit = (() => {
  const { all, cutOf, hasZone, linesOf, nameOf, scrolls, texts, timeOfDay } = globalThis.pageTexts;
  const linesMax = 2;
  const rowMax = { wide: 72, narrow: 120 };
  const wideFrom = 768;
  const deskFrom = 1440;
  const rowsMax = 200;
  const framesMax = 10;
  const labels = 'button, [role="button"], [role="tab"], [role="menuitem"], label, legend, summary';
  const frame = () => new Promise(requestAnimationFrame);

  let shifts = [];
  const forbidden = [];
  const takeShifts = (entries) => {
    for (const { value, hadRecentInput, sources } of entries)
      if (!hadRecentInput && value > 0) shifts.push({ value, node: sources[0]?.node });
  };
  const observer = new PerformanceObserver((list) => takeShifts(list.getEntries()));
  observer.observe({ type: 'layout-shift', buffered: true });
  document.addEventListener('securitypolicyviolation', (event) =>
    forbidden.push({ at: event.effectiveDirective, figure: event.blockedURI || 'inline' }),
  );

  const checks = {
    viewport({ width }) {
      return innerWidth === width ? [] : [['the page', `${innerWidth} px`]];
    },
    sideways() {
      const { scrollWidth, clientWidth } = document.documentElement;
      return scrollWidth > clientWidth ? [['the page', `${scrollWidth} px`]] : [];
    },
    lines() {
      return all(labels)
        .map((each) => [each, linesOf(each)])
        .filter(([, lines]) => lines > linesMax)
        .map(([each, lines]) => [each, `${lines} lines`]);
    },
    cut: () => [...new Map(texts().flatMap(([, parent]) => cutOf(parent))).entries()],
    rows({ width }) {
      const limit = width >= wideFrom ? rowMax.wide : rowMax.narrow;
      return all('tbody tr, [role="row"]')
        .map((each) => [each, Math.round(each.getBoundingClientRect().height)])
        .filter(([, height]) => height > limit)
        .map(([each, height]) => [each, `${height} px`]);
    },
    length() {
      return all('table')
        .map((each) => [each, each.querySelectorAll('tbody tr').length])
        .filter(([, count]) => count > rowsMax)
        .map(([each, count]) => [each, `${count} rows`]);
    },
    table({ width }) {
      if (width < deskFrom) return [];
      return all('table').flatMap((table) => {
        for (let box = table; box !== document.body && box !== null; box = box.parentElement) {
          const isScrolled = box.scrollWidth > box.clientWidth + 1;
          if (scrolls(getComputedStyle(box).overflowX) && isScrolled)
            return [[table, `${box.scrollWidth} px in ${box.clientWidth} px`]];
        }
        return [];
      });
    },
    words() {
      const wrong =
        /pico|<\s?\$0\.01|\bNaN\b|Invalid Date|\[object |\bundefined\b|\bnull\b|(?<![\w.])-\d+ (s|min|h|days?)\b/i;
      return texts().flatMap(([node, parent]) => {
        const [word] = wrong.exec(node.data) ?? [];
        return word === undefined || parent.closest('pre, code') ? [] : [[parent, word]];
      });
    },
    zone() {
      return texts().flatMap(([node, parent]) => {
        const [time] = timeOfDay.exec(node.data) ?? [];
        return time === undefined || hasZone(parent) ? [] : [[parent, time]];
      });
    },
    forbidden: () => forbidden.map(({ at, figure }) => [at, figure]),
  };

  const controls =
    'a[href], button, input, select, textarea, summary, [tabindex], [contenteditable="true"]';
  let wanted = [];
  let focused = [];

  /** The controls that Tab must reach: of a group of radio buttons, one. */
  function reachable() {
    const groups = new Set();
    return all(controls).filter((each) => {
      if (each.disabled || each.closest('[inert], [hidden]')) return false;
      const isControl = !each.matches('[tabindex="-1"]:not(button, input, select, textarea, a)');
      if (each.type !== 'radio') return isControl && !isRoving(each);
      const isFirst = !groups.has(each.name);
      groups.add(each.name);
      return isFirst;
    });
  }

  /** One item of a list has the focus for all: arrow keys reach the others. */
  function isRoving(element) {
    const list = '[role="listbox"], [role="menu"], [role="tablist"], [role="radiogroup"], svg';
    return element.tabIndex < 0 && element.closest(list) !== null;
  }

  return {
    linesOf,
    /** The faults of the page, after the frames to react to its size. */
    async faults(options) {
      // A list that is too long for people is too long to check each of its rows.
      const names = checks.length().length > 0 ? ['length', 'sideways'] : Object.keys(checks);
      let before = '';
      for (let frames = 0; ; frames += 1) {
        const found = names.flatMap((check) =>
          checks[check](options).map(([element, figure]) => ({
            ...{ check, figure },
            element: typeof element === 'string' ? element : nameOf(element),
          })),
        );
        const now = JSON.stringify(found);
        if (found.length === 0 || now === before || frames >= framesMax) return found;
        before = now;
        await frame();
        await frame();
      }
    },
    markShifts() {
      takeShifts(observer.takeRecords());
      shifts = [];
    },
    async shifts() {
      await frame();
      await frame();
      takeShifts(observer.takeRecords());
      return shifts.map(({ value, node }) => ({
        ...{ check: 'shift', element: nameOf(node?.parentElement ?? node) },
        figure: value.toFixed(4),
      }));
    },
    /** Returns the number of Tab presses that reach all controls. */
    beginTabs() {
      focused = [];
      wanted = reachable();
      document.addEventListener('focusin', ({ target }) => focused.push(target));
      return wanted.length;
    },
    /** Controls that Tab has not reached, and controls reached twice in one round. */
    endTabs() {
      const end = focused.indexOf(focused[0], 1);
      const first = end < 0 ? focused : focused.slice(0, end);
      const again = first.filter((each, place) => first.indexOf(each) !== place);
      // The page might have read its data again, and have other controls in their position.
      const missed = wanted.filter((each) => each.isConnected && !first.includes(each));
      return [
        ...missed.map((each) => [each, '0 times']),
        ...[...new Set(again)].map((each) => [each, '2 times']),
      ].map(([each, figure]) => ({ check: 'tab', element: nameOf(each), figure }));
    },
  };
})();
